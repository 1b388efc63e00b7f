#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "arthron/component/force.hpp"
#include "arthron/component/json_document.hpp"
#include "arthron/component/lane_joint.hpp"
#include "arthron/core/sanitizer.hpp"
#include "arthron/kernel.hpp"

/// What a library of component types says of how it was built. It stands in a section of its own as plain data without relocations, so that
/// it is read from the file and compared before anything of the library runs.
namespace arthron {

/// One thing that kernel and plug-in must have in common, in words.
struct PluginFact {
  char name[24] = {};
  char value[40] = {};
};

/// The layout of the record and of the facts never changes; which facts there are may.
struct PluginRecord {
  static constexpr std::string_view section = ".arthron_plugin", entry = "arthron_plugin_register", signature = "ARTHRON plug-in";
  static constexpr std::size_t most_facts = 16;

  char magic[16] = {};
  std::uint32_t layout = 1;
  std::uint32_t count = 0;
  PluginFact facts[most_facts] = {};
};

/// Text that is made while compiling.
template <std::size_t size>
constexpr void append(char (&text)[size], std::string_view more) {
  std::size_t end = 0;
  while (text[end] != 0) ++end;
  for (std::size_t i = 0; i < more.size() && end + 1 < size; ++i) text[end++] = more[i];
}
template <std::size_t size>
constexpr void append(char (&text)[size], long number) {
  char digits[24] = {};
  std::size_t first = sizeof digits;
  do digits[--first] = static_cast<char>('0' + number % 10);
  while ((number /= 10) > 0);
  append(text, std::string_view(digits + first, sizeof digits - first));
}

constexpr void add_fact(PluginRecord& record, std::string_view name, std::initializer_list<std::string_view> value) {
  PluginFact& fact = record.facts[record.count++];
  append(fact.name, name);
  for (const std::string_view part : value) append(fact.value, part);
}
constexpr void add_sizes(PluginRecord& record, std::string_view name, std::initializer_list<std::size_t> sizes) {
  PluginFact& fact = record.facts[record.count++];
  append(fact.name, name);
  for (const std::size_t size : sizes) {
    if (fact.value[0] != 0) append(fact.value, " ");
    append(fact.value, static_cast<long>(size));
  }
}

/// Of the translation unit that asks.
constexpr PluginRecord this_build() {
  PluginRecord record;
  append(record.magic, PluginRecord::signature);
  add_fact(record, "kernel", {ARTHRON_KERNEL_VERSION});
  add_fact(record, "kernel headers", {ARTHRON_KERNEL_HEADERS});
#if defined(__clang__)
  add_fact(record, "compiler", {"Clang"});
  append(record.facts[record.count - 1].value, " "), append(record.facts[record.count - 1].value, long{__clang_major__});
#else
  add_fact(record, "compiler", {"GCC"});
  append(record.facts[record.count - 1].value, " "), append(record.facts[record.count - 1].value, long{__GNUC__});
#endif
#if defined(_GLIBCXX_RELEASE)
  add_fact(record, "standard library", {"libstdc++", _GLIBCXX_USE_CXX11_ABI ? "" : " with the old string"});
#else
  add_fact(record, "standard library", {"another one"});
#endif
#if defined(_GLIBCXX_DEBUG)
  add_fact(record, "containers", {"checked (_GLIBCXX_DEBUG)"});
#else
  add_fact(record, "containers", {"plain"});
#endif
#if defined(__AVX512F__)
  constexpr std::string_view vectors = "AVX-512";
#elif defined(__AVX2__)
  constexpr std::string_view vectors = "AVX2";
#elif defined(__AVX__)
  constexpr std::string_view vectors = "AVX";
#else
  constexpr std::string_view vectors = "the default";
#endif
  add_fact(record, "vector instructions", {vectors});
#if ARTHRON_SANITIZER_ADDRESS
  add_fact(record, "sanitizer", {"address"});
#elif ARTHRON_SANITIZER_THREAD
  add_fact(record, "sanitizer", {"thread"});
#else
  add_fact(record, "sanitizer", {"none"});
#endif
#if defined(__FAST_MATH__)
  add_fact(record, "arithmetic", {"careless (-ffast-math)"});
#else
  add_fact(record, "arithmetic", {"as written"});
#endif
  add_sizes(record, "JSON library", {NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH});
  add_sizes(record, "sizes of lanes", {static_cast<std::size_t>(lane_count), sizeof(Lanes), alignof(Lanes)});
  add_sizes(record, "sizes of types",
            {sizeof(std::string), sizeof(std::vector<int>), sizeof(JsonReader), sizeof(TimeFunction), sizeof(Table), sizeof(HandleState),
             sizeof(JointSlot), sizeof(Pose<double>), sizeof(Placement)});
  return record;
}

}  // namespace arthron
