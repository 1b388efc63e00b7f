#include "faulty.hpp"

/// Declared, but in no library.
void function_of_nobody();

ARTHRON_PLUGIN(registry) { function_of_nobody(); }
