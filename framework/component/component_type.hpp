#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace arthron {

/// What every registered type has: its name in JSON, and where it comes from.
class ComponentType {
 public:
  virtual ~ComponentType() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// File of the plug-in that brings the type; empty for types that are compiled in.
  [[nodiscard]] const std::string& library() const { return library_; }
  void come_from(std::string library) { library_ = std::move(library); }

 private:
  std::string library_;
};

/// "acme/screw" from ./libacme.so
[[nodiscard]] std::string name_and_library(const ComponentType& type);

}  // namespace arthron
