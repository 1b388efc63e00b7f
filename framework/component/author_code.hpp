#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

/// Author code may throw wherever it is asked for numbers. The batches name it, the kernel lets it pass, and whoever owns a Workspace turns
/// it into a Status. Nothing of this costs anything while nothing is thrown.
namespace arthron {

/// What author code of a type has thrown.
class ComponentError : public std::runtime_error {
 public:
  enum class Kind : unsigned char { joint, force };
  /// `place` is a joint's number in the Model, a force's first handle in the Plan, or -1 where that is not known.
  ComponentError(Kind kind, std::string_view type, int place, const std::string& message);
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& type() const { return type_; }
  [[nodiscard]] int place() const { return place_; }
  /// In the author's words.
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  Kind kind_;
  std::string type_, message_;
  int place_;
};

/// The words of the exception that is being handled.
[[nodiscard]] std::string words_of_exception();

/// Throws the exception that is being handled as a ComponentError.
[[noreturn]] void throw_component_error(ComponentError::Kind kind, std::string_view type, int place);

/// Calls code of a joint's or a force's author.
template <class Call>
decltype(auto) ask_joint(std::string_view type, int joint, const Call& call) {
  try {
    return call();
  } catch (...) {
    throw_component_error(ComponentError::Kind::joint, type, joint);
  }
}
template <class Call>
decltype(auto) ask_force(std::string_view type, int first_handle, const Call& call) {
  try {
    return call();
  } catch (...) {
    throw_component_error(ComponentError::Kind::force, type, first_handle);
  }
}

}  // namespace arthron
