#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "arthron/core/diagnostic.hpp"
#include "arthron/plan/passes.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Numbers grounds first, then bodies in tree order, and gives each body its inboard joint.
void number_bodies(const Model& model, const SpanningTree& tree, Plan& plan) {
  plan.body_of.assign(model.bodies.size(), -1);
  plan.ground.clear();
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    if (!model.bodies[b].ground) continue;
    plan.body_of[b] = static_cast<int>(plan.ground.size());
    plan.ground.push_back({model.bodies[b].frame.p, model.bodies[b].motion ? &*model.bodies[b].motion : nullptr});
  }
  plan.grounds = static_cast<int>(plan.ground.size());
  plan.bodies.assign(plan.ground.size(), {});
  plan.joints.assign(model.joints.size(), {});
  for (const auto& link : tree.links) {
    const Joint& joint = model.joints[link.edge];
    const BodyIndex parent = link.reversed ? joint.child : joint.parent, child = link.reversed ? joint.parent : joint.child;
    const int number = static_cast<int>(plan.bodies.size());
    plan.body_of[child.value] = number;
    PlanBody body;
    body.parent = plan.body_of[parent.value];
    body.joint = link.edge;
    body.driven = !joint.motion.empty();
    plan.bodies.push_back(body);
    plan.joints[link.edge] = {.body = number, .reversed = link.reversed, .driven = body.driven};
  }
}

/// Gives every joint its coordinates and velocity columns: free joints in body order, then the driven ones.
void number_coordinates(const Model& model, Plan& plan) {
  int q = 0, u = 0;
  for (const bool driven : {false, true}) {
    for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
      PlanBody& body = plan.bodies[b];
      if (body.driven != driven) continue;
      PlanJoint& joint = plan.joints[body.joint];
      const JointType& type = model.joints[body.joint].definition->type();
      joint.q = q, joint.nq = type.nq(), joint.u = u, joint.nu = type.nu();
      body.q = q, body.u = u, body.columns = type.nu();
      for (int c = 0; c < type.nu(); ++c) body.slides = body.slides || type.shape(c) != ColumnShape::rotation;
      // Seen from the other side, a rotation also moves the handle of a joint that slides.
      for (int c = 0; c < type.nu(); ++c) {
        const bool mixed = joint.reversed && body.slides && type.shape(c) == ColumnShape::rotation;
        plan.shapes.push_back(mixed ? ColumnShape::general : type.shape(c));
      }
      if (!driven && type.nq() != type.nu()) plan.plain_coordinates = false;
      q += type.nq(), u += type.nu();
    }
    if (!driven) plan.nq = q, plan.nu = u;
  }
  plan.nq_all = q, plan.nu_all = u;
}

/// Design position of every body frame B, by body number: origin at the inboard joint, axes of the joint's frame.
std::vector<Pose<double>> design_frames(const Model& model, const Plan& plan) {
  std::vector<Pose<double>> frames(plan.bodies.size());
  for (size_t g = 0; g < plan.ground.size(); ++g) frames[g].p = plan.ground[g].origin;
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    const size_t j = plan.bodies[b].joint;
    frames[b] = plan.joints[j].reversed ? model.joints[j].frame : model.joints[j].child_frame();
  }
  return frames;
}

/// Constant geometry and inertia of every body in its own frame B.
void place_bodies(const Model& model, const std::vector<Pose<double>>& X_WB, Plan& plan) {
  for (size_t b = plan.grounds; b < plan.bodies.size(); ++b) {
    PlanBody& body = plan.bodies[b];
    const Pose<double>& X_WP = X_WB[body.parent];
    const Joint& joint = model.joints[body.joint];
    const Pose<double> X_WF = plan.joints[body.joint].reversed ? joint.child_frame() : joint.frame;
    const Pose<double> X_PF = inverse(X_WP) * X_WF;
    body.p_PF = X_PF.p;
    body.R_PF = X_PF.R;
    body.aligned = X_WP.R == X_WF.R;
  }
  plan.frame_in_body.resize(model.bodies.size());
  const std::vector<bool> light = light_bodies(model);
  for (size_t m = 0; m < model.bodies.size(); ++m) {
    const Body& given = model.bodies[m];
    const size_t b = plan.body_of[m];
    plan.frame_in_body[m] = inverse(X_WB[b]) * given.frame;
    if (given.ground) continue;
    const Vec3 c = inverse(X_WB[b]) * given.com;
    const double m_ = given.mass, cc = dot(c, c);
    plan.bodies[b].mass = m_;
    plan.bodies[b].light = light[m];
    plan.bodies[b].first_moment = m_ * c;
    plan.bodies[b].second_moment =
        rotated(transpose(X_WB[b].R), given.inertia) +
        Sym3{m_ * (cc - c.x * c.x), m_ * (cc - c.y * c.y), m_ * (cc - c.z * c.z), -m_ * c.x * c.y, -m_ * c.x * c.z, -m_ * c.y * c.z};
  }
}

/// Sizes of internal states are what tolerances are parts of.
void check_state_sizes(const Model& model, const Plan& plan) {
  std::vector<double> sizes(plan.nx);
  for (const auto& batch : plan.force_batches) batch->state_sizes(sizes.data());
  std::vector<Diagnostic> mistakes;
  for (size_t f = 0; f < model.forces.size(); ++f) {
    const Slice states = plan.forces[f].states;
    const auto sound = [](double size) { return size > 0 && std::isfinite(size); };
    if (std::all_of(sizes.begin() + states.first, sizes.begin() + states.last, sound)) continue;
    const Force& force = model.forces[f];
    const std::string& instance = model.subsystems[force.subsystem].path;
    mistakes.push_back({force.source->file, force.source->line, force.source->pointer, "internal states without a size",
                        "state_sizes() of force type \"" + std::string(force.definition->type().name()) + "\" to give numbers > 0", "",
                        instance});
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

/// What the way to compute a model that its settings choose cannot do.
void refuse_method(const Plan& plan) {
  std::vector<Diagnostic> mistakes = plan.formulation->objections(plan);
  if (mistakes.empty() && plan.elimination == Elimination::pair) mistakes = massless_bodies(*plan.model, "elimination \"pair\"");
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

/// Bodies that the shortest loops of the kernel are for.
void find_plain_bodies(Plan& plan) {
  for (PlanBody& body : plan.bodies) {
    body.single_column = body.columns == 1 && !body.driven && !body.light && plan.shapes[body.u] != ColumnShape::general &&
                         plan.varying_columns[body.u] == 0;
    body.plain = body.single_column && body.node < 0 && !body.on_chain;
  }
}

/// Bodies of each part that are in no group, one behind the other.
void find_alone(Plan& plan) {
  for (PlanPart& part : plan.parts)
    for (int b = part.bodies.first; b < part.bodies.last; ++b) {
      if (plan.bodies[b].grouped) continue;
      if (part.ungrouped.empty() || part.ungrouped.back().last != b) part.ungrouped.push_back({b, b});
      part.ungrouped.back().last = b + 1;
    }
}

/// The state's coordinates and columns of each part.
void slice_state(Plan& plan) {
  Slice q, u;
  for (PlanPart& part : plan.parts) {
    q.first = q.last, u.first = u.last;
    for (int b = part.bodies.first; b < part.bodies.last; ++b) {
      const PlanBody& body = plan.bodies[b];
      if (!body.driven) q.last += plan.joints[body.joint].nq, u.last += body.columns;
    }
    part.q = q, part.u = u;
  }
}

}  // namespace

std::vector<Diagnostic> massless_bodies(const Model& model, const std::string& method) {
  std::vector<Diagnostic> mistakes;
  for (const Body& body : model.bodies)
    if (!body.ground && body.mass == 0)
      mistakes.push_back({body.source->file, body.source->line, body.source->pointer, "a body without mass under " + method,
                          "a mass > 0, or another formulation or elimination", ""});
  return mistakes;
}

/// Lists that grew keep no room to grow: there are a dozen of them for every body on which loops close.
static void trim(Plan& plan) {
  const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
  for (ClosureNode& node : plan.closure_nodes)
    fit(node.closures, node.row, node.count, node.blocks, node.links, node.fills, node.sides, node.terms, node.children, node.upward,
        node.downward, node.upward_gamma);
  for (SimdGroup& group : plan.groups) {
    fit(group.bodies, group.cuts, group.forces, group.nodes, group.passed_rows);
    for (GroupNode& node : group.nodes)
      fit(node.cut_of_row, node.sides, node.passed, node.passed_pairs, node.apart, node.blank, node.terms);
  }
  fit(plan.closure_nodes, plan.groups, plan.bodies, plan.shapes, plan.handles, plan.closures, plan.forces, plan.joints);
}

/// Pairs have a part for every body, numbered as they are without.
static std::vector<Slice> part_per_body(const Plan& plan) {
  std::vector<Slice> parts;
  for (int b = plan.grounds; b < std::ssize(plan.bodies); ++b) parts.push_back({b, b + 1});
  return parts;
}

std::shared_ptr<Plan> compile(std::shared_ptr<const Model> model, const Grain& grain) {
  auto plan = std::make_shared<Plan>();
  plan->model = model;
  plan->formulation = &formulation_named(model->simulation.formulation);
  const bool pairs = model->simulation.elimination == "pair" && plan->formulation->follows_elimination();
  const bool modular = model->simulation.elimination == "modular" && plan->formulation->follows_elimination();
  plan->elimination = pairs ? Elimination::pair : modular ? Elimination::modular : Elimination::fold;
  auto [tree, loop_subsystem] = span_bodies(*model);
  number_bodies(*model, tree, *plan);
  const std::vector<Slice> parts = divide(tree.chords, grain, *plan, tree);
  number_bodies(*model, tree, *plan);
  make_parts(pairs && parts.front().size() > 0 ? part_per_body(*plan) : parts, *plan);
  name_parts(*plan);
  number_coordinates(*model, *plan);
  slice_state(*plan);
  const std::vector<Pose<double>> X_WB = design_frames(*model, *plan);
  place_bodies(*model, X_WB, *plan);
  close_loops(X_WB, cuts_by_part(*model, tree.chords, *plan), *plan);
  share_couplings(*plan);
  find_alone(*plan);
  join_chains(tree.chords, pairs ? single_bodies : grain, *plan);
  batch_joints(*model, *plan);
  find_plain_bodies(*plan);
  if (modular) finish_modules(*plan);
  batch_forces(*model, X_WB, *plan);
  check_state_sizes(*model, *plan);
  keep_hierarchy(X_WB, loop_subsystem, *plan);
  plan->baumgarte = model->simulation.loops.baumgarte;
  refuse_method(*plan);
  trim(*plan);
  return plan;
}

}  // namespace arthron
