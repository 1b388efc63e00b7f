#include "arthron/authoring/joint_in_models.hpp"

#include <cmath>

#include "arthron/authoring/agreement.hpp"
#include "arthron/authoring/measures.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/simulation.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

namespace {

constexpr Identity reactions_do_no_work{"reactions do no work along the freedoms", 1e-10};
constexpr Identity pendulum_keeps_energy{"a pendulum on the joint keeps its energy", 1e-9};
constexpr Identity loop_keeps_energy{"a loop closed by the joint keeps its energy", 1e-9};
constexpr Identity loop_moves_as_tree{"cut, the joint moves bodies as in the tree", 1e-9};

/// Where the joint stands in a chain: ground, root hinge, base, joint, body, hinge, tail.
enum class Role { forward, reversed, cut };

std::string words(Role role) {
  switch (role) {
    case Role::forward: return "in a tree ";
    case Role::reversed: return "in a tree that runs against it ";
    case Role::cut: return "cut in a loop ";
  }
  return "";
}

constexpr auto chain = R"json({ "arthron": 1, "name": "joint under examination", "gravity": [1.5, -2.5, -9],
  "bodies": {
    "base": { "mass": 2, "com": [0.1, 0.3, -0.2], "inertia": [0.06, 0.05, 0.07, 0.004, -0.003, 0.002] },
    "body": { "mass": 1.3, "com": [0.5, -0.2, 0.4], "inertia": [0.04, 0.05, 0.03, 0.002, 0.003, -0.004] },
    "tail": { "mass": 0.8, "com": [0.7, 0.4, 0.6], "inertia": [0.02, 0.03, 0.025] } },
  "joints": {
    "joint": { "type": "free", "parent": "base", "child": "body", "at": [0.2, 0.1, -0.1] },
    "root": { "type": "revolute", "parent": "ground", "child": "base", "at": [0, 0, 0], "axis": [1, 2, -1], "initial": { "velocity": 0.4 } },
    "hinge": { "type": "revolute", "parent": "body", "child": "tail", "at": [0.6, 0.2, 0.3], "axis": [2, -1, 1],
               "initial": { "position": 0.3, "velocity": -0.6 } } } })json";

constexpr int joint_number = 0;
const std::vector<int> moving_bodies{1, 2, 3};

/// The chain with the joint of `from` in its state and role.
Model model_with(const SingleJoint& from, Role role, const Registry& registry) {
  Model model = parse_model(chain, "chain", registry);
  Joint& joint = model.joints[joint_number];
  const Joint floating = joint;
  const SingleJoint drawn(from.instance, false, from.mirrored);
  joint.definition = from.instance.joint.definition;
  joint.mirrored = from.mirrored;
  const SingleJoint::Velocities chart = from.chart_of(from.q);
  joint.initial_position.assign(chart.begin(), chart.begin() + static_cast<std::ptrdiff_t>(from.nu()));
  joint.initial_velocity.assign(from.u.begin(), from.u.begin() + static_cast<std::ptrdiff_t>(from.nu()));
  if (role == Role::reversed) std::swap(joint.parent, joint.child);
  if (role == Role::cut) {
    // The body floats where the joint would have it, so that the loop is closed from the start.
    joint.cut = true;
    Joint free = floating;
    free.path = "float", free.cut = false, free.parent = model.joints[1].parent;
    const Pose<double> X = drawn.at(from.q).X * inverse(inverse(joint.frame) * joint.child_frame());
    const Vec3 turn = rotation_vector_of(X.R);
    free.initial_position = {X.p.x, X.p.y, X.p.z, turn.x, turn.y, turn.z};
    free.initial_velocity = {0.3, -0.5, 0.2, 0.6, -0.4, 0.5};
    model.joints.push_back(std::move(free));
  }
  model.simulation.integrator = {"dopri5", 1e-12, 1e-12, 1e-3};
  model.simulation.until = 0.25;
  model.simulation.threads = 1;
  return model;
}

/// Work of the reactions and drift of energy over a short run.
void examine_run(const SingleJoint& from, Role role, const Registry& registry, Examination& examination) {
  const auto place = [&] { return words(role) + from.words(); };
  const Identity& keeps = role == Role::cut ? loop_keeps_energy : pendulum_keeps_energy;
  Simulation simulation(std::make_shared<const Model>(model_with(from, role, registry)));
  const auto failed = [&](const Status& status) {
    if (status.ok()) return false;
    const std::string why = describe(status, simulation.plan(), simulation.workspace(), simulation.state().t);
    examination.note(keeps, std::nan(""), [&] { return why + ' ' + place(); });
    return true;
  };
  if (failed(simulation.start()) || failed(simulation.observe(true))) return;
  const Plan& plan = simulation.plan();
  const Workspace& work = simulation.workspace();
  const double before = energy(plan, work).total(), kinetic = energy(plan, work).kinetic;

  const Joint& joint = plan.model->joints[joint_number];
  const Spatial6 F = joint_reaction(plan, work, {joint_number});
  const Vec3 point = joint_point(plan, work, {joint_number});
  const auto velocity_of_body = [&](BodyIndex body) {
    return velocity_at(frame_velocity(plan, work, body), point - frame_pose(plan, work, body).p);
  };
  const Spatial6 V = velocity_of_body(joint.child) - velocity_of_body(joint.parent);
  const double size = (norm(F.linear) + norm(F.angular)) * (norm(V.linear) + norm(V.angular));
  examination.note(reactions_do_no_work, std::abs(dot(F, V)) / std::max(1.0, size), place);

  if (failed(simulation.advance_to(simulation.settings().until)) || failed(simulation.observe())) return;
  const Energy after = energy(plan, work);
  examination.note(keeps, std::abs(after.total() - before) / std::max({1.0, kinetic, after.kinetic}), place);
}

void examine_agreement(const SingleJoint& from, Role role, const Registry& registry, Examination& examination) {
  const auto place = [&] { return words(role) + from.words(); };
  const Agreement agreement = compare_formulations(model_with(from, role, registry), 1,
                                                   [](Model model) { return compile(std::make_shared<const Model>(std::move(model))); });
  if (!agreement.status.ok())
    examination.note(formulations_agree, std::nan(""), [&] { return "the equations of motion have no solution " + place(); });
  for (const Disagreement& disagreement : agreement.ways)
    examination.note(formulations_agree, disagreement.largest(), [&] {
      return "by formulation " + disagreement.way.formulation + " (elimination " + disagreement.way.elimination + ") " + place();
    });
}

/// Accelerations of the bodies of the loop, and of the tree in the state the loop was found in.
void examine_loop_against_tree(const SingleJoint& from, const Registry& registry, Examination& examination) {
  const auto place = [&] { return from.words(); };
  const auto accelerations = [](const Plan& plan, const Workspace& work) {
    std::vector<double> values;
    for (const int body : moving_bodies) append(values, frame_acceleration(plan, work, {body}));
    return values;
  };
  const auto loop = compile(std::make_shared<const Model>(model_with(from, Role::cut, registry)));
  const auto loop_work = make_workspace(*loop);
  State state;
  Status status = initial_state(*loop, *loop_work, state);
  if (status.ok()) status = evaluate_accelerations(*loop, 0, state.q.data(), state.p.data(), *loop_work);
  if (status.ok()) measure_cuts(*loop, *loop_work);
  const auto tree = compile(std::make_shared<const Model>(model_with(from, Role::forward, registry)));
  const auto tree_work = make_workspace(*tree);
  if (status.ok()) {
    std::vector<JointStart> starts;
    for (std::size_t j = 0; j < tree->model->joints.size(); ++j) {
      const PlanJoint& place_of = loop->joints[j];
      const auto q = loop_work->q.begin() + place_of.q;
      std::vector<double> u(tree->model->joints[j].definition->type().nu());
      joint_velocity(*loop, *loop_work, {static_cast<int>(j)}, u.data());
      starts.push_back({{}, u, {q, q + place_of.nq}, false});
    }
    status = assemble(*tree, starts, 0, *tree_work, state);
  }
  if (status.ok()) status = evaluate_accelerations(*tree, 0, state.q.data(), state.p.data(), *tree_work);
  if (!status.ok())
    examination.note(loop_moves_as_tree, std::nan(""), [&] { return "the equations of motion have no solution " + place(); });
  else
    examination.note(loop_moves_as_tree, deviation(accelerations(*tree, *tree_work), accelerations(*loop, *loop_work)), place);
}

}  // namespace

void examine_in_models(const SingleJoint& joint, const Registry& registry, Examination& examination) {
  for (const Role role : {Role::forward, Role::reversed, Role::cut}) examine_run(joint, role, registry, examination);
  for (const Role role : {Role::forward, Role::reversed, Role::cut}) examine_agreement(joint, role, registry, examination);
  examine_loop_against_tree(joint, registry, examination);
}

}  // namespace arthron
