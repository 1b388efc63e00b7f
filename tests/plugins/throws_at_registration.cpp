#include "faulty.hpp"

ARTHRON_PLUGIN(registry) { throw std::runtime_error("no licence at all"); }
