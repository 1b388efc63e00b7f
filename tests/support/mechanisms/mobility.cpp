#include "support/mechanisms/mobility.hpp"

#include <stdexcept>

namespace arthron::test {

namespace {

Matrix skew(const Vector& v) {
  Matrix S;
  S << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return S;
}

/// Index of every body in the file, by name.
std::map<std::string, int> numbers_of(const Json& model) {
  std::map<std::string, int> numbers;
  for (const auto& [name, body] : model["bodies"].items()) numbers.emplace(name, static_cast<int>(numbers.size()));
  return numbers;
}

/// Unit vectors across the columns.
Eigen::MatrixXd complement(const Eigen::MatrixXd& columns) {
  if (columns.cols() == 0) return Eigen::MatrixXd::Identity(6, 6);
  Eigen::MatrixXd scaled = columns;
  for (Eigen::Index i = 0; i < scaled.cols(); ++i) scaled.col(i).normalize();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(scaled);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(6, 6);
  return Q.rightCols(6 - columns.cols());
}

}  // namespace

Eigen::MatrixXd placed(const Eigen::MatrixXd& twists, const Displacement& parent, const Vector& centre) {
  Eigen::MatrixXd world(6, twists.cols());
  const Matrix R = parent.R;
  world.bottomRows(3) = R * twists.bottomRows(3);
  world.topRows(3) = R * twists.topRows(3) + (skew(parent.p) - skew(centre)) * world.bottomRows(3);
  return world;
}

Displacement operator*(const Displacement& a, const Displacement& b) { return {a.R * b.R, a.R * b.p + a.p}; }
Displacement inverse(const Displacement& a) { return {a.R.transpose(), -(a.R.transpose() * a.p)}; }
Displacement displacement_of(const BodyRow& row, const Vector& com) { return {row.R, row.x - row.R * com}; }

SingleJoints::SingleJoints(const Registry& types, const Json& model)
    : types_(types), flat_{{"arthron", 1}, {"name", "single_joints"}, {"gravity", {0, 0, 0}}} {
  flat_["bodies"] = Json::object(), flat_["joints"] = Json::object();
  for (const auto& [name, joint] : model["joints"].items()) {
    Json alone = joint;
    for (const char* key : {"motion", "spring", "effort", "initial", "cut", "limits", "friction", "drive"}) alone.erase(key);
    alone["parent"] = "ground", alone["child"] = "of_" + name;
    flat_["bodies"]["of_" + name] = {{"mass", 1}, {"com", {0, 0, 0}}, {"inertia", {1, 1, 1}}};
    flat_["joints"][name] = alone;
    names_.push_back(name), freedoms_.push_back(types.joint(joint["type"].get<std::string>())->nu());
  }
}

Coordinates SingleJoints::drawn() const {
  Coordinates coordinates;
  for (const int n : freedoms_) coordinates.emplace_back(static_cast<std::size_t>(n), 0.0);
  return coordinates;
}

Motion SingleJoints::start(const Coordinates& positions, int moving_freedom) const {
  Json flat = flat_;
  How how;
  how.simulate = {{"until", 1e-9}, {"output", {{"step", 1e-9}}}};
  for (std::size_t i = 0; i < names_.size(); ++i) {
    for (const char* channel : {".position", ".orientation", ".velocity", ".angular_velocity"})
      how.channels.push_back("of_" + names_[i] + channel);
    if (freedoms_[i] == 0) continue;
    std::vector<double> velocity(positions[i].size());
    if (moving_freedom >= 0 && moving_freedom < freedoms_[i]) velocity[moving_freedom] = 1;
    Json& initial = flat["joints"][names_[i]]["initial"];
    initial["position"] = freedoms_[i] == 1 ? Json(positions[i][0]) : Json(positions[i]);
    initial["velocity"] = freedoms_[i] == 1 ? Json(velocity[0]) : Json(velocity);
  }
  Motion motion = move(types_, flat, how);
  if (!motion.ok()) throw std::runtime_error("single joints: " + motion.failure);
  return motion;
}

std::vector<Displacement> SingleJoints::displacements(const Coordinates& coordinates) const {
  const Motion motion = start(coordinates, -1);
  std::vector<Displacement> out;
  for (const std::string& name : names_) out.push_back(displacement_of(motion.body(0, "of_" + name), Vector::Zero()));
  return out;
}

std::vector<Eigen::MatrixXd> SingleJoints::twists(const Coordinates& coordinates) const {
  std::vector<Eigen::MatrixXd> twists;
  for (const int n : freedoms_) twists.emplace_back(6, n);
  for (int k = 0; k < *std::max_element(freedoms_.begin(), freedoms_.end()); ++k) {
    const Motion motion = start(coordinates, k);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (k >= freedoms_[i]) continue;
      const BodyRow body = motion.body(0, "of_" + names_[i]);
      twists[i].col(k) << body.v - body.w.cross(body.x), body.w;
    }
  }
  return twists;
}

Mobility mobility(const Json& model, const std::vector<Displacement>& bodies, const std::vector<Eigen::MatrixXd>& twists) {
  const std::map<std::string, int> numbers = numbers_of(model);
  Mobility found;
  found.centre = Vector::Zero();
  for (const auto& [name, body] : model["bodies"].items()) {
    const Displacement& X = bodies[numbers.at(name)];
    found.centre += (X.R * vector_of(body["com"]) + X.p) / static_cast<double>(numbers.size());
  }
  const auto n = static_cast<Eigen::Index>(6 * numbers.size());
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(6 * twists.size()), n);
  Eigen::MatrixXd relative = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(6 * twists.size()), n);
  Eigen::Index rows = 0;
  std::size_t i = 0;
  for (const auto& [name, joint] : model["joints"].items()) {
    const auto number_of = [&](const char* end) { return numbers.contains(joint[end]) ? numbers.at(joint[end]) : -1; };
    const int parent = number_of("parent"), child = number_of("child");
    const Eigen::MatrixXd H = placed(twists[i], parent < 0 ? Displacement{} : bodies[parent], found.centre);
    const Eigen::MatrixXd D = joint.contains("motion") ? Eigen::MatrixXd::Identity(6, 6) : complement(H);
    const auto r = static_cast<Eigen::Index>(6 * i);
    if (child >= 0) relative.block(r, 6 * child, 6, 6) += Eigen::MatrixXd::Identity(6, 6);
    if (parent >= 0) relative.block(r, 6 * parent, 6, 6) -= Eigen::MatrixXd::Identity(6, 6);
    C.middleRows(rows, D.cols()) = D.transpose() * relative.middleRows(r, 6);
    rows += D.cols(), ++i;
  }
  // Not Eigen's BDCSVD: of matrices with many equal singular values its vectors are wrong.
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(C.topRows(std::max<Eigen::Index>(rows, 1)), Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  for (const double s : svd.singularValues()) {
    if (s > 1e-6)
      ++rank, found.least = s;
    else
      found.largest_null = std::max(found.largest_null, s);
  }
  found.freedom = static_cast<int>(n - rank);
  found.motions = svd.matrixV().rightCols(n - rank);
  found.relative = relative * found.motions;
  return found;
}

Mobility drawn_mobility(const Registry& types, const Json& model) {
  const SingleJoints joints(types, model);
  return mobility(model, std::vector<Displacement>(model["bodies"].size()), joints.twists(joints.drawn()));
}

}  // namespace arthron::test
