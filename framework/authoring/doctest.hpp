#pragma once
#include <doctest/doctest.h>

#include "arthron/authoring/examine.hpp"
#include "arthron/component/body.hpp"
#include "arthron/component/force_batch.hpp"
#include "arthron/component/joint_batch.hpp"
#include "arthron/component/subsystem.hpp"
#include "arthron/components/builtins.hpp"

/// One line in a test case of an author's own: the type is registered on top of the built-in ones and examined, and the test fails with a
/// sentence for every identity that does not hold.
///   TEST_CASE("the screw joint is a joint") { ARTHRON_CHECK_JOINT(acme::ScrewJoint); }
/// doctest is the author's; the library is arthron::arthron.
namespace arthron {

template <class J>
[[nodiscard]] Examination examine_joint_type(const ExamineOptions& options = {}) {
  Registry registry = builtin_registry();
  registry.add_joint<J>();
  return examine_joint(registry, std::string(J::type), options);
}

template <class F>
[[nodiscard]] Examination examine_force_type(const ExamineOptions& options = {}) {
  Registry registry = builtin_registry();
  registry.add_force<F>();
  return examine_force(registry, std::string(F::type), options);
}

template <class B>
[[nodiscard]] Examination examine_body_type(const ExamineOptions& options = {}) {
  Registry registry = builtin_registry();
  registry.add_body<B>();
  return examine_body(registry, std::string(B::type), options);
}

template <class S>
[[nodiscard]] Examination examine_subsystem_type(const ExamineOptions& options = {}) {
  Registry registry = builtin_registry();
  registry.add_subsystem<S>();
  return examine_subsystem(registry, std::string(S::type), options);
}

}  // namespace arthron

#define ARTHRON_CHECK_EXAMINATION(...)                                                                                 \
  do {                                                                                                                 \
    const ::arthron::Examination arthron_examination = __VA_ARGS__;                                                    \
    for (const auto& arthron_failure : ::arthron::failures_in_words(arthron_examination)) FAIL_CHECK(arthron_failure); \
    CHECK(arthron_examination.passed());                                                                               \
  } while (false)
#define ARTHRON_CHECK_JOINT(...) ARTHRON_CHECK_EXAMINATION(::arthron::examine_joint_type<__VA_ARGS__>())
#define ARTHRON_CHECK_FORCE(...) ARTHRON_CHECK_EXAMINATION(::arthron::examine_force_type<__VA_ARGS__>())
#define ARTHRON_CHECK_BODY(...) ARTHRON_CHECK_EXAMINATION(::arthron::examine_body_type<__VA_ARGS__>())
#define ARTHRON_CHECK_SUBSYSTEM(...) ARTHRON_CHECK_EXAMINATION(::arthron::examine_subsystem_type<__VA_ARGS__>())
