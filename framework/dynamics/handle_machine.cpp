#include "arthron/dynamics/handle_machine.hpp"

namespace arthron {

namespace {

using std::size_t;
using RowMajor6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

Segment segment_of(const BoxEquations& e) {
  const auto matrix = [](const std::array<double, 36>& numbers) { return Matrix6(Eigen::Map<const RowMajor6>(numbers.data())); };
  const auto vector = [](const std::array<double, 6>& numbers) { return Vector6(Eigen::Map<const Vector6>(numbers.data())); };
  return {matrix(e.M), matrix(e.X), matrix(e.Gamma), vector(e.b), vector(e.g), false};
}

}  // namespace

HandleMachine::HandleMachine(std::vector<std::unique_ptr<HandleBox>> boxes, const Pose<double>& X_WG)
    : boxes_(std::move(boxes)), X_WG_(X_WG), motion_(boxes_.size() + 1), own_(boxes_.size()), joined_(boxes_.size()), N_(boxes_.size()) {
  for (const auto& box : boxes_) states_ += box->states();
}

std::vector<double> HandleMachine::start() const {
  std::vector<double> y(static_cast<size_t>(states_));
  double* next = y.data();
  for (const auto& box : boxes_) box->start(next), next += box->states();
  return y;
}

void HandleMachine::rates(double t, const double* y, double* rate) {
  motion_.front() = {X_WG_, {}};
  for (size_t i = 0; i < boxes_.size(); ++i) {
    motion_[i + 1] = boxes_[i]->move(t, y, motion_[i]);
    own_[i] = segment_of(boxes_[i]->equations());
    y += boxes_[i]->states();
  }
  // Inward: with nothing at the outermost output, what hangs on each takes up s = M w + b.
  for (size_t i = boxes_.size(); i-- > 0;) {
    joined_[i] = own_[i];
    if (i + 1 == boxes_.size()) continue;
    join(own_[i], joined_[i + 1], joined_[i], N_[i]);
    join_biases(own_[i], joined_[i + 1], N_[i], joined_[i + 1].b, joined_[i]);
  }
  Vector6 A = Vector6::Zero();
  for (size_t i = 0; i < boxes_.size(); ++i) {
    Vector6 a = Vector6::Zero(), f = Vector6::Zero();
    if (i + 1 < boxes_.size()) {
      a = velocity_between(own_[i], N_[i], joined_[i + 1].b, A);
      f = joined_[i + 1].M * a + joined_[i + 1].b;
    }
    boxes_[i]->rates(spatial(A), spatial(f), rate);
    rate += boxes_[i]->states();
    A = a;
  }
}

}  // namespace arthron
