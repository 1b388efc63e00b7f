#include "arthron/authoring/joint_identities.hpp"
#include "arthron/authoring/measures.hpp"
#include "arthron/component/lane_joint.hpp"
#include "arthron/spatial/rotation_vector.hpp"

namespace arthron {

namespace {

constexpr Identity own_across{"complement is across H", rounding_error};
constexpr Identity own_orthonormal{"complement: unit vectors across one another", rounding_error};
constexpr Identity own_pure{"complement: each a force or a couple", 0};
constexpr Identity own_link{"complement points along the link where its length is all that is held", rounding_error};
constexpr Identity own_rate{"complement_rate is the rate of complement", difference_error};
constexpr Identity own_gap_closed{"gap is nothing at the joint's own poses", rounding_error};
constexpr Identity own_gap_opens{"gap grows as the joint is forced along complement", difference_error};
constexpr Identity same_on_lanes{"SIMD lanes give the same numbers", rounding_error};

using Directions = std::array<Spatial6, 6>;

Directions complement(const SingleJoint& joint, const Pose<double>& X) {
  Directions D;
  joint.batch->complement({0, 1}, &X, D.data());
  return D;
}

void examine_directions(const SingleJoint& joint, const Directions& D, Examination& examination) {
  const Directions H = joint.at(joint.q).H;
  for (std::size_t r = 0; r < 6 - joint.nu(); ++r) {
    const auto in_row = [&] { return "in direction " + std::to_string(r + 1) + ' ' + joint.words(); };
    for (std::size_t i = 0; i < joint.nu(); ++i)
      examination.note(own_across, std::abs(dot(D[r], H[i])) / std::max(1.0, std::sqrt(dot(H[i], H[i]))), in_row);
    for (std::size_t s = 0; s < 6 - joint.nu(); ++s)
      examination.note(own_orthonormal, std::abs(dot(D[r], D[s]) - (r == s ? 1 : 0)), in_row);
    examination.note(own_pure, norm(D[r].linear) * norm(D[r].angular), in_row);
  }
}

void examine_gap(const SingleJoint& joint, const Pose<double>& X, const Directions& D, Examination& examination) {
  const auto gap = [&](const Pose<double>& pose) {
    Spatial6 found;
    joint.batch->gap({0, 1}, &pose, &found);
    std::vector<double> values;
    append(values, found);
    return values;
  };
  examination.note(own_gap_closed, deviation(std::vector<double>(6, 0), gap(X)), [&] { return joint.words(); });
  for (std::size_t r = 0; r < 6 - joint.nu(); ++r) {
    const Derivative rate = derivative([&](double distance) {
      const auto turn = quaternion_of(distance * D[r].angular);
      return gap({quaternion_rotation(turn[0], turn[1], turn[2], turn[3]) * X.R, X.p + distance * D[r].linear});
    });
    std::vector<double> direction;
    append(direction, D[r]);
    note_derivative(examination, own_gap_opens, rate, direction,
                    [&] { return "in direction " + std::to_string(r + 1) + ' ' + joint.words(); });
  }
}

}  // namespace

void examine_complement(const SingleJoint& joint, Examination& examination) {
  // Cut joints are always seen from their parents.
  if (!joint.batch->gives_complement() || joint.reversed) return;
  const SingleJoint::Position now = joint.at(joint.q);
  const Directions D = complement(joint, now.X);
  examine_directions(joint, D, examination);
  if (joint.batch->holds_length()) {
    const Vec3 end = joint.type.link_end(joint.definition).value_or(Vec3{}), link = now.X.p - (joint.mirrored ? -end : end);
    examination.note(own_link, norm(cross(normalized(link), D[0].linear)), [&] { return joint.words(); });
  }
  Spatial6 V;
  for (std::size_t i = 0; i < joint.nu(); ++i) V += joint.u[i] * now.H[i];
  Directions rates{};
  joint.batch->complement_rate({0, 1}, &now.X, &V, rates.data());
  const std::size_t rows = 6 - joint.nu();
  const Derivative truth = derivative([&](double t) { return numbers_of(complement(joint, joint.at(joint.moved(t)).X), rows); });
  note_derivative(examination, own_rate, truth, numbers_of(rates, rows), [&] { return joint.words(); });
  examine_gap(joint, now.X, D, examination);
}

void examine_lanes(const SingleJoint& joint, Examination& examination) {
  const std::unique_ptr<LaneJointBatch> lanes = joint.type.make_lane_batch();
  lanes->add(per_lane<const JointDefinition*>([&](std::size_t) { return &joint.definition; }),
             {0, 0, 0, joint.reversed, joint.mirrored, -1});
  std::array<Lanes, 8> q, qdot;
  std::array<Lanes, 6> u;
  Pose<Lanes> X;
  std::array<Spatial<Lanes>, 6> H, Hdot;
  PerLane<SingleJoint::Coordinates> states;
  for (int lane = 0; lane < lane_count; ++lane) {
    SingleJoint::Coordinates& own = states[lane];
    own = joint.moved(0.1 * lane);
    set_lane(q.data(), lane, own.data(), 8), set_lane(u.data(), lane, joint.u.data(), 6);
  }
  lanes->constants(&X, H.data());
  lanes->position(q.data(), &X, H.data());
  lanes->rate(q.data(), u.data(), Hdot.data());
  lanes->coordinate_rate(q.data(), u.data(), qdot.data());
  const int nu = joint.type.nu(), nq = joint.type.nq();
  for (int lane = 0; lane < lane_count; ++lane) {
    const SingleJoint::Coordinates& own = states[lane];
    SingleJoint::Position position;
    Directions rates{}, scalar_rates{};
    SingleJoint::Coordinates moving{}, scalar_moving{};
    get_lane(&X, lane, &position.X, 1), get_lane(H.data(), lane, position.H.data(), nu);
    get_lane(Hdot.data(), lane, rates.data(), nu), get_lane(qdot.data(), lane, moving.data(), nq);
    const SingleJoint::Position scalar = joint.at(own);
    if (joint.batch->varies()) joint.batch->rate({0, 1}, own.data(), joint.u.data(), scalar_rates.data());
    joint.batch->coordinate_rate({0, 1}, own.data(), joint.u.data(), scalar_moving.data());
    const auto in_lane = [&] { return "in lane " + std::to_string(lane + 1) + ", 0.1 s of motion apart, " + joint.words(); };
    examination.note(same_on_lanes, deviation(numbers_of(scalar.X), numbers_of(position.X)), in_lane);
    examination.note(same_on_lanes, deviation(numbers_of(scalar.H, joint.nu()), numbers_of(position.H, joint.nu())), in_lane);
    examination.note(same_on_lanes, deviation(numbers_of(scalar_rates, joint.nu()), numbers_of(rates, joint.nu())), in_lane);
    examination.note(same_on_lanes, deviation({scalar_moving.begin(), scalar_moving.end()}, {moving.begin(), moving.end()}), in_lane);
  }
}

}  // namespace arthron
