#include <Eigen/Dense>
#include <algorithm>

#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/stages.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Multipliers that push against one another and move nothing: rows of all closures, one behind the other.
class NullVectors {
 public:
  NullVectors(const Plan& plan, const Workspace& work) : plan_(plan), closures_(*work.closures) {
    for (const PlanClosure& closure : plan.closures) first_.push_back(rows_), rows_ += closure.rows;
    for (size_t n = 0; n < static_cast<size_t>(plan.folding_nodes); ++n)
      for (int i = 0; i < plan.closure_nodes[n].eliminated; ++i) add_of(n, i);
  }

  /// Some of them reach beyond the closure in which they were found, whose multipliers are free of those that do not.
  [[nodiscard]] bool wide() const { return wide_; }

  /// Takes the multipliers' part in these from them.
  void leave(std::vector<ClosureWork::Cut>& cuts) const {
    Eigen::MatrixXd N(rows_, static_cast<Eigen::Index>(vectors_.size()));
    for (size_t k = 0; k < vectors_.size(); ++k) N.col(static_cast<Eigen::Index>(k)) = vectors_[k];
    Eigen::VectorXd sigma(rows_);
    for (size_t c = 0; c < cuts.size(); ++c) sigma.segment(first_[c], rows_of(c)) = cuts[c].sigma.head(rows_of(c));
    sigma -= N * Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(N).solve(sigma);
    for (size_t c = 0; c < cuts.size(); ++c) cuts[c].sigma.head(rows_of(c)) = sigma.segment(first_[c], rows_of(c));
  }

 private:
  [[nodiscard]] int rows_of(size_t closure) const { return plan_.closures[closure].rows; }

  /// The null vectors of closure i of a node, with what earlier closures answer.
  void add_of(size_t n, size_t i) {
    const ClosureNode& node = plan_.closure_nodes[n];
    const size_t c = node.closures[i];
    for (int k = closures_.cuts[c].rank; k < rows_of(c); ++k) {
      Eigen::VectorXd vector = Eigen::VectorXd::Zero(rows_);
      vector.segment(first_[c], rows_of(c)) = closures_.null[c][k].head(rows_of(c));
      answer(n, i, vector);
      answer_below(n, vector);
      constexpr double noise = 1e-9;
      wide_ |= (vector.squaredNorm() - 1) > noise * noise;
      vectors_.push_back(std::move(vector));
    }
  }

  void answer_below(size_t n, Eigen::VectorXd& vector) const {
    for (const int child : plan_.closure_nodes[n].children) {
      const size_t below = child;
      answer(below, plan_.closure_nodes[below].eliminated, vector);
      answer_below(below, vector);
    }
  }

  /// What the first closures of a node take up, nothing moving, when the later ones push: back substitution as in open_node.
  void answer(size_t n, size_t count, Eigen::VectorXd& vector) const {
    const ClosureNode& node = plan_.closure_nodes[n];
    const ClosureWork::Node& here = closures_.nodes[n];
    const std::vector<int> place = places(node);
    for (auto block = node.closing().rbegin(); block != node.closing().rend(); ++block)
      for (int i = std::min(block->closures.last, static_cast<int>(count)); i-- > block->closures.first;) {
        const ClosureWork::Cut& cut = closures_.cuts[node.closures[i]];
        for (int p = cut.rank - 1; p >= 0; --p) {
          const int row = node.row[i] + cut.pivot[p];
          const double* const gamma = here.gamma + block->gamma + (row - block->row) * block->stride;
          double sum = 0;
          const auto add = [&](int at, int first, int rows) {
            for (int r = 0; r < rows; ++r)
              if (const int other = place[first + r]; other >= 0) sum -= gamma[at + r] * vector[other];
          };
          add(0, block->row, block->rows);
          for (const ClosureNode::Link& link : node.links_of(*block)) add(link.at, link.row, 4 * link.width);
          vector[place[row]] = here.d_inverse[row] * sum;
        }
      }
  }

  /// Per row of a node, its place among the rows of all closures; -1 between them.
  [[nodiscard]] std::vector<int> places(const ClosureNode& node) const {
    std::vector<int> place(node.rows, -1);
    for (size_t i = 0; i < node.closures.size(); ++i)
      for (int r = 0; r < node.count[i]; ++r) place[node.row[i] + r] = first_[node.closures[i]] + r;
    return place;
  }

  const Plan& plan_;
  const ClosureWork& closures_;
  std::vector<int> first_;  // per closure
  int rows_ = 0;
  std::vector<Eigen::VectorXd> vectors_;
  bool wide_ = false;
};

}  // namespace

/// Null vectors are found from the factors of folding; multipliers stay as they are.
static void refactor_by_folding(const Plan& plan, Workspace& work) {
  std::vector<ClosureWork::Cut>& cuts = work.closures->cuts;
  std::vector<Vector6> multipliers;
  for (const ClosureWork::Cut& cut : cuts) multipliers.push_back(cut.sigma);
  for (int p = shared_part(plan); p-- > 0;) fold_part<Level::acceleration>(plan, p, work);
  close_ground<Level::acceleration>(plan, 0, work);
  for (size_t c = 0; c < cuts.size(); ++c) cuts[c].sigma = multipliers[c];
}

void smallest_multipliers(const Plan& plan, Workspace& work) {
  int dependent = 0;
  for (size_t c = 0; c < plan.closures.size(); ++c) dependent += plan.closures[c].rows - work.closures->cuts[c].rank;
  if (dependent == 0 || plan.closures.size() == 1) return;
  if (work.modules) refactor_by_folding(plan, work);
  const NullVectors null(plan, work);
  if (null.wide()) null.leave(work.closures->cuts);
}

}  // namespace arthron
