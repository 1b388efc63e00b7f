#pragma once
#include <string_view>

#include "arthron/component/component_type.hpp"
#include "arthron/component/json_reader.hpp"
#include "arthron/component/shape.hpp"

/// What the author of a body type writes, and how the loader sees it.
///
/// A body type B is a plain struct that gives
///   static constexpr std::string_view type;       name in JSON, vendor/name
///   static B parse(const JsonReader&);            any keys but "type", "frame" and "shapes", which every body has
///   BodyProperties properties() const;            asked only when parse() met no mistake
/// The body's own frame, or the file's where the user gives none, holds for all of it: lists of coordinates are written in it,
/// points and directions are returned in it, and the properties refer to it. An exception becomes a diagnostic at the user's body.
namespace arthron {

struct BodyProperties {
  double mass = 0;              // [kg]
  Vec3 com;                     // [m]
  Sym3 inertia;                 // about the com [kg m^2]
  std::vector<Shape> shapes{};  // its look; derived from joints and mass when empty
};

/// A registered body type.
class BodyType : public ComponentType {
 public:
  /// Of no meaning when `in` describes or has met a mistake.
  [[nodiscard]] virtual BodyProperties read(const JsonReader& in) const = 0;
};

template <class B>
class BodyTypeOf final : public BodyType {
 public:
  [[nodiscard]] std::string_view name() const override { return B::type; }
  [[nodiscard]] BodyProperties read(const JsonReader& in) const override {
    const B body = B::parse(in);
    return in.describing() || in.failed_within() ? BodyProperties() : body.properties();
  }
};

}  // namespace arthron
