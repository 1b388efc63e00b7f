#pragma once
#include <utility>

#include "arthron/component/author_code.hpp"
#include "arthron/component/force.hpp"

namespace arthron {

template <class F>
class ForceDefinitionOf final : public ForceDefinition {
 public:
  ForceDefinitionOf(F force, std::vector<Handle> handles, std::shared_ptr<const ForceType> type)
      : force_(std::move(force)), handles_(std::move(handles)), type_(std::move(type)) {}
  [[nodiscard]] const ForceType& type() const override { return *type_; }
  [[nodiscard]] const std::vector<Handle>& handles() const override { return handles_; }
  [[nodiscard]] bool conservative() const override {
    if constexpr (requires { force_.conservative(); }) return force_.conservative();
    return false;
  }
  [[nodiscard]] std::vector<HandleShape> shapes() const override {
    if constexpr (requires { force_.shapes(); }) return ask_force(F::type, -1, [&] { return force_.shapes(); });
    return {};
  }
  [[nodiscard]] const F& force() const { return force_; }

 private:
  F force_;
  std::vector<Handle> handles_;
  std::shared_ptr<const ForceType> type_;
};

/// Number of internal states.
template <class F>
constexpr int states_of() {
  if constexpr (requires { F::states; }) return static_cast<int>(F::states.size());
  return 0;
}

template <class F>
constexpr bool frame_indifferent_of() {
  if constexpr (requires { F::frame_indifferent; }) return F::frame_indifferent;
  return false;
}

}  // namespace arthron
