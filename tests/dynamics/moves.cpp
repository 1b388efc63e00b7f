#include <doctest/doctest.h>

#include "arthron/dynamics/stages.hpp"
#include "support/loaded.hpp"

using namespace arthron;
using namespace arthron::test;

namespace {

double apart(const Vec3& a, const Vec3& b) { return norm(a - b); }

/// A body on one joint.
std::shared_ptr<Model> one_joint(const char* type, const char* axis, bool reversed, bool mirrored) {
  const std::string sides = reversed ? R"("parent": "rod", "child": "ground")" : R"("parent": "ground", "child": "rod")";
  const std::string joint = std::string(R"("type": ")") + type + R"(", "axis": )" + axis + ", " + sides;
  const Loaded drawn = Loaded::text(R"({ "arthron": 1, "name": "one",
    "bodies": { "rod": { "mass": 2, "com": [0.3, 0.1, -0.2], "inertia": [0.1, 0.2, 0.15] } },
    "joints": { "joint": { "at": [0.2, 0.5, -0.1], )" +
                                    joint + " } } }");
  auto model = std::make_shared<Model>(*drawn.plan->model);
  model->joints.front().mirrored = mirrored;
  return model;
}

}  // namespace

TEST_CASE("turns and slides about and along axes of their frames go where their joints' batches say") {
  for (const char* type : {"revolute", "prismatic"})
    for (const char* axis : {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]", "[-1, 0, 0]", "[0, -1, 0]", "[0, 0, -1]"})
      for (const bool reversed : {false, true})
        for (const bool mirrored : {false, true}) {
          CAPTURE(std::string(type));
          CAPTURE(std::string(axis));
          CAPTURE(reversed);
          CAPTURE(mirrored);
          const auto model = one_joint(type, axis, reversed, mirrored);
          const auto plan = compile(model);
          const auto work = make_workspace(*plan);
          REQUIRE(plan->bodies[1].move != Move::other);
          REQUIRE(plan->joints[0].reversed == reversed);
          const double q = 0.7;
          kinematics(*plan, 0, &q, *work);

          const JointDefinition& definition = *model->joints.front().definition;
          const auto batch = definition.type().make_batch();
          batch->add(definition, {.reversed = reversed, .mirrored = mirrored});
          Pose<double> X_FM;
          Spatial6 H;
          batch->constants(&X_FM, &H);
          batch->position(batch->all(), &q, &X_FM, &H);
          const PlanBody& body = plan->bodies[1];
          const Pose<double> X_WB = Pose<double>(work->body[0].X_WB) * Pose<double>{body.R_PF, body.p_PF} * X_FM,
                             found = work->body[1].X_WB;
          CHECK(apart(found.p, X_WB.p) < 1e-15);
          CHECK(apart(found.R.c0, X_WB.R.c0) + apart(found.R.c1, X_WB.R.c1) + apart(found.R.c2, X_WB.R.c2) < 1e-15);
          const Spatial6 column = work->column[0].H;
          CHECK(apart(column.linear, body.R_PF * H.linear) < 1e-15);
          CHECK(apart(column.angular, body.R_PF * H.angular) < 1e-15);
        }
}
