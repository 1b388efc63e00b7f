#include "arthron/authoring/examine.hpp"

#include <cmath>

#include "arthron/authoring/force_identities.hpp"
#include "arthron/authoring/joint_identities.hpp"
#include "arthron/authoring/joint_in_models.hpp"
#include "arthron/component/author_code.hpp"
#include "arthron/core/diagnostic.hpp"

namespace arthron {

namespace {

constexpr Identity parameters_accepted{"parse accepts the parameters", 0};
constexpr Identity author_code_returns{"the author's code throws nothing", 0};
constexpr int joint_draws = 3, states_a_joint = 4, force_draws = 40, states_a_force = 2, tries = 20;
constexpr double instants[] = {0, 0.37};  // [s]

/// Instances of a type: those of a model, the author's example, or random ones. `make` makes one of keys.
template <class Instance, class Type, class Elements, class Make, class Draw>
std::vector<Instance> instances_of(const Type& type, const Elements* elements, int draws, const Make& make, const Draw& draw,
                                   Examination& examination) {
  std::vector<Instance> instances;
  if (elements) {
    for (const auto& element : *elements)
      if (element.definition->type().name() == type.name())
        instances.push_back({(element.path.empty() ? "" : element.path + " of ") + "the model", element});
    if (instances.empty())
      examination.note(parameters_accepted, std::nan(""), [&] { return "the model has no " + examination.kind + " of this type"; });
    return instances;
  }
  std::string refusal;
  const auto attempt = [&](const nlohmann::ordered_json& keys) {
    try {
      instances.push_back(make(keys));
    } catch (const ModelError& mistakes) {
      refusal = keys.dump() + " is refused: " + mistakes.what();
    }
  };
  if (!type.example().empty()) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::parse(type.example(), nullptr, false);
    if (keys.is_object()) {
      keys["type"] = std::string(type.name());
      attempt(keys);
    } else {
      refusal = "the type's `example` is no JSON object: " + std::string(type.example());
    }
  } else {
    for (int i = 0; i < tries * draws && static_cast<int>(instances.size()) < draws; ++i) {
      if (i == tries && instances.empty()) break;
      attempt(draw());
    }
    if (instances.empty()) refusal += "; give the type an `example`, or a model that uses it";
  }
  examination.note(parameters_accepted, instances.empty() ? std::nan("") : 0, [&] { return refusal; });
  return instances;
}

/// Calls what calls the author's code.
template <class Work>
void guarded(Examination& examination, const std::string& where, const Work& work) {
  try {
    work();
  } catch (const InternalError&) {
    throw;
  } catch (...) {
    const std::string words = words_of_exception();
    examination.note(author_code_returns, std::nan(""), [&] { return words + " is thrown " + where; });
  }
}

/// The joint at its start and at random states, forward and reversed, as drawn and mirrored.
template <class Action>
void for_states(const JointInstance& instance, RandomKeys& random, const Action& action) {
  for (const bool reversed : {false, true})
    for (const bool mirrored : {false, true}) {
      SingleJoint joint(instance, reversed, mirrored);
      joint.go_to_random_state(random);
      joint.go_to_start();
      for (int state = 0; state < states_a_joint; ++state) {
        action(joint);
        joint.go_to_random_state(random);
      }
    }
}

/// Stage by stage, so that what follows from a mistake is not reported with it.
void examine_instances(const std::vector<JointInstance>& instances, const Registry& registry, RandomKeys& random,
                       Examination& examination) {
  for (const JointInstance& instance : instances)
    for_states(instance, random, [&](const SingleJoint& joint) { examine_pose(joint, examination); });
  if (!examination.passed()) {
    examination.left_out.emplace_back("all else was left out: it rests on what fails");
    return;
  }
  for (const JointInstance& instance : instances)
    for_states(instance, random, [&](const SingleJoint& joint) {
      examine_motion(joint, examination);
      examine_coordinates(joint, examination);
      examine_complement(joint, examination);
      examine_lanes(joint, examination);
    });
  if (!examination.passed()) {
    examination.left_out.emplace_back("models with the joint were left out: they rest on what fails");
    return;
  }
  bool mirrored = false;
  for (const JointInstance& instance : instances) {
    SingleJoint joint(instance, false, mirrored);
    joint.go_to_random_state(random);
    examine_in_models(joint, registry, examination);
    mirrored = !mirrored;
  }
}

}  // namespace

Examination examine_joint(const Registry& registry, const std::string& name, const ExamineOptions& options) {
  Examination examination("joint", name);
  const JointType* type = registry.joint(name);
  if (!type) throw InternalError("the joint type that is examined is registered");
  RandomKeys random(options.seed);
  guarded(examination, "while parsing or at some state", [&] {
    const auto instances = instances_of<JointInstance>(
        *type, options.model ? &options.model->joints : nullptr, type->nu() == 0 ? 1 : joint_draws,
        [&](const nlohmann::ordered_json& keys) { return joint_with_keys(registry, keys); }, [&] { return random.keys_of(*type, 0); },
        examination);
    examine_instances(instances, registry, random, examination);
  });
  return examination;
}

Examination examine_force(const Registry& registry, const std::string& name, const ExamineOptions& options) {
  Examination examination("force", name);
  const ForceType* type = registry.force(name);
  if (!type) throw InternalError("the force type that is examined is registered");
  RandomKeys random(options.seed);
  guarded(examination, "while parsing or at some state", [&] {
    const auto instances = instances_of<ForceInstance>(
        *type, options.model ? &options.model->forces : nullptr, force_draws,
        [&](const nlohmann::ordered_json& keys) { return force_with_keys(registry, keys); }, [&] { return random.some_keys_of(*type, 3); },
        examination);
    bool conservative = false;
    int runs = 0;
    for (const ForceInstance& instance : instances) {
      const SingleForce force(instance);
      conservative = conservative || force.definition.conservative();
      if (force.handles() == 0) continue;
      for (int i = 0; i < states_a_force; ++i)
        for (const double t : instants) {
          const SingleForce::States states = force.random_states(random);
          examine_numbers(force, t, states, examination);
          examine_frames(force, t, states, random, examination);
          examine_lanes(force, t, states, examination);
          examine_gradient(force, t, states, examination);
        }
      constexpr int most_runs = 3;
      if (force.definition.conservative() && examination.passed() && runs++ < most_runs) examine_energy(force, registry, examination);
    }
    if (!conservative) examination.left_out.emplace_back("no instance says it is conservative(): its energy was not looked at");
  });
  return examination;
}

std::vector<std::string> failures_in_words(const Examination& examination) {
  std::vector<std::string> sentences;
  for (const Finding& finding : examination.failures()) sentences.push_back(sentence(examination, finding));
  return sentences;
}

}  // namespace arthron
