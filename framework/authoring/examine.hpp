#pragma once
#include <string>
#include <vector>

#include "arthron/authoring/examination.hpp"
#include "arthron/component/registry.hpp"

/// The checker for authors of component types: holds every identity that the kernel rests on against finite differences, second ways of
/// computing the same, and conservation of energy, and says which one fails, where and by how much. See docs/checking-components.md.
namespace arthron {

struct Model;

struct ExamineOptions {
  unsigned seed = 1;             // of parameters and states
  const Model* model = nullptr;  // its joints or forces of the type are examined, instead of the author's example or of random ones
};

/// The type is registered; so are the types free and revolute, which the models are built with.
[[nodiscard]] Examination examine_joint(const Registry& registry, const std::string& type, const ExamineOptions& options = {});
[[nodiscard]] Examination examine_force(const Registry& registry, const std::string& type, const ExamineOptions& options = {});
/// A body or subsystem type as the loader has it: random keys are accepted and give the same twice; a body moves with its frame, and what
/// a subsystem builds, its mounts on the ground, starts and moves alike under every formulation.
[[nodiscard]] Examination examine_body(const Registry& registry, const std::string& type, const ExamineOptions& options = {});
[[nodiscard]] Examination examine_subsystem(const Registry& registry, const std::string& type, const ExamineOptions& options = {});

/// Sentences of all that fails; empty when the type is fine.
[[nodiscard]] std::vector<std::string> failures_in_words(const Examination& examination);

}  // namespace arthron
