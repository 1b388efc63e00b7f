#pragma once
#include <memory>
#include <utility>

namespace arthron {

/// A std::optional that takes a pointer's room where there is nothing: for large values that few of many elements have.
template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(Rare other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Rare() = default;

  explicit operator bool() const { return value_ != nullptr; }
  [[nodiscard]] bool has_value() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  T& operator*() { return *value_; }
  T* operator->() { return value_.get(); }
  void reset() { value_.reset(); }
  T& emplace() { return *(value_ = std::make_unique<T>()); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace arthron
