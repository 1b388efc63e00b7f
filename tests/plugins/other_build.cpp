#include <arthron/kernel.hpp>
#undef ARTHRON_KERNEL_VERSION
#define ARTHRON_KERNEL_VERSION "0.0.7"
#undef ARTHRON_KERNEL_HEADERS
#define ARTHRON_KERNEL_HEADERS "0123456789ab"
#include <cstdlib>

#include "faulty.hpp"

/// A library for another kernel. Nothing of it may run, not even what runs when it is loaded.
namespace {
const bool loaded = (std::abort(), true);
}

ARTHRON_PLUGIN(registry) {
  (void)loaded;
  std::abort();
}
