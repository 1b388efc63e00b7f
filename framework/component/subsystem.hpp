#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arthron/component/component_type.hpp"
#include "arthron/component/content_builder.hpp"
#include "arthron/component/json_reader.hpp"

/// What the author of a subsystem type writes, and how the loader sees it.
///
/// A subsystem type S is a plain struct that gives
///   static constexpr std::string_view type;       name in JSON, vendor/name
///   static S parse(const JsonReader&);            its own keys: numbers, texts, flags, choices, lists and tables of numbers
///   void build(SubsystemBuilder&) const;          writes bodies, joints, forces, ports, ...: all that a model file may hold
/// A model uses it as it uses a file:  "rope": { "type": "acme/rope", "links": 20, "at": ..., "connect": { ... } }
///
/// The loader reads the result of build() like a file. It has its own frame; the user places, turns, mirrors and repeats it, and reaches
/// it only through its ports. Bodies and places of the user's file come in by mounts and by the placement, functions of time by signal
/// inputs; parse() cannot ask for them. Every number that parse() asks for by a key of its own is a parameter of the instance
/// ("rope.length"). --set and studies replace it before parse() sees it. A type does not use itself, neither directly nor through files or
/// other types; nested content goes into SubsystemBuilder::use. Files are searched beside the user's file.
///
/// Mistakes that parse() reports are at the user's keys, mistakes in what was built at their place in it, with the type's name and where it
/// is used; an exception is reported at the user's "type". build() is not called when parse() met a mistake. Both are called for
/// every instance and every variant of a study, on several threads at once.
namespace arthron {

class SubsystemBuilder : public ContentBuilder<SubsystemBuilder> {
 public:
  explicit SubsystemBuilder(const std::string& name) : ContentBuilder({{"arthron", 1}, {"name", name}}) {}
};

/// One parsed subsystem of a known type.
class SubsystemDefinition {
 public:
  virtual ~SubsystemDefinition() = default;
  virtual void build(SubsystemBuilder& out) const = 0;
};

/// A registered subsystem type.
class SubsystemType : public ComponentType {
 public:
  [[nodiscard]] virtual std::unique_ptr<SubsystemDefinition> parse(const JsonReader& in) const = 0;
  /// The type's own keys, known once it is registered.
  [[nodiscard]] const std::vector<KeyDescription>& keys() const { return keys_; }

 private:
  friend class Registry;
  std::vector<KeyDescription> keys_;
};

/// Keys that the use of any subsystem may have, whatever its type.
inline constexpr std::string_view subsystem_keys[] = {"use",        "type",    "at",     "rotation", "mirror",
                                                      "parameters", "connect", "repeat", "index"};

template <class S>
class SubsystemTypeOf final : public SubsystemType {
 public:
  [[nodiscard]] std::string_view name() const override { return S::type; }
  [[nodiscard]] std::unique_ptr<SubsystemDefinition> parse(const JsonReader& in) const override {
    return std::make_unique<Definition>(S::parse(in));
  }

 private:
  struct Definition final : SubsystemDefinition {
    explicit Definition(S parsed) : subsystem(std::move(parsed)) {}
    void build(SubsystemBuilder& out) const override { subsystem.build(out); }
    S subsystem;
  };
};

}  // namespace arthron
