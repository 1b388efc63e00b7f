#pragma once
#include "arthron/component/force_batch.hpp"
#include "arthron/component/joint_batch.hpp"
#include "arthron/component/plugin_record.hpp"
#include "arthron/component/registry.hpp"
#include "arthron/component/subsystem.hpp"

/// The one header for authors of joints, forces, bodies and subsystems. A library of them has once, at namespace scope of one source
/// file,
///   ARTHRON_PLUGIN(registry) { registry.add_joint<ScrewJoint>(); }
/// and is built by arthron_add_plugin(NAME sources...) of CMake. Types of plug-ins are named "vendor/name". See docs/plugins.md.
namespace arthron {

/// Calls the author's registration. False, and the words of the exception, when it throws.
inline bool register_types(void (*types)(Registry&), Registry& registry, std::string& complaint) noexcept {
  try {
    types(registry);
    return true;
  } catch (...) {
    complaint = words_of_exception();
    return false;
  }
}

}  // namespace arthron

#define ARTHRON_PLUGIN(registry)                                                                                                          \
  static void arthron_plugin_types(::arthron::Registry& registry);                                                                        \
  extern "C" {                                                                                                                            \
  [[gnu::visibility("default")]] extern const ::arthron::PluginRecord arthron_plugin_record;                                              \
  [[gnu::visibility("default")]] bool arthron_plugin_register(::arthron::Registry& registry, std::string& complaint);                     \
  [[gnu::used, gnu::section(".arthron_plugin")]] constinit const ::arthron::PluginRecord arthron_plugin_record = ::arthron::this_build(); \
  bool arthron_plugin_register(::arthron::Registry& registry, std::string& complaint) {                                                   \
    return ::arthron::register_types(arthron_plugin_types, registry, complaint);                                                          \
  }                                                                                                                                       \
  }                                                                                                                                       \
  static void arthron_plugin_types([[maybe_unused]] ::arthron::Registry& registry)
