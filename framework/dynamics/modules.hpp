#pragma once
#include "arthron/dynamics/closures.hpp"
#include "arthron/dynamics/compound.hpp"

/// Elimination by subsystems (plan/modules.hpp). Every part says by itself what it takes up at its base, and how its outputs and the loops
/// that leave it move:
///   P = M V + b + X s,      w = X^T V + g - Gamma s.
/// What hangs on an output t of the near compound takes up  s_t = M_f w_t + b_f + X_f s_f;  o are the near one's other rows, f the far
/// one's. With N = (1 + Gamma_tt M_f)^-1,
///   w_t = N (X_t^T V + g_t - Gamma_to s_o - Gamma_tt (b_f + X_f s_f)),
/// and both together, with K = M_f N and E = N Gamma_tt,
///   M += X_t K X_t^T,   b += X_t (K g_t + N^T b_f),   X_o -= X_t K Gamma_to,   X_f := X_t N^T X_f,
///   Gamma_oo -= Gamma_ot K Gamma_to,   Gamma_of = Gamma_ot N^T X_f,   Gamma_ff += X_f^T E X_f,
///   g_o -= Gamma_ot (K g_t + N^T b_f),   g_f += X_f^T (N g_t - E b_f).
/// Then the loops that are complete are closed among these rows. Everything is found twice (chains.hpp says why): the second time with what
/// the first solution takes up at the outputs, assumed there, and b_f less that much.
namespace arthron {

struct ModuleWork {
  explicit ModuleWork(const Plan& plan);

  struct Compounded {
    WideInertia M;
    Wide6 b, V;  // V at the base, of what it hangs on
  };
  struct Join {
    Matrix6 N, K, E, M_far, X;                                 // X of the output
    Vector6 g, b;                                              // of the output; of what hangs there, less what is assumed
    Vector6 assumed;                                           // taken up there, as the near compound's biases have it
    Eigen::Matrix<double, 6, Eigen::Dynamic> coupling, X_far;  // Gamma of the output with the near rows; X of the far ones
    Eigen::Matrix<double, 6, Eigen::Dynamic> X_rows, product;  // of all rows together
    Eigen::MatrixXd gamma;
    Eigen::VectorXd g_rows, s_near, s_far;
  };
  std::vector<Compounded> compound;  // parts, then joins
  std::vector<Join> join;
};

enum class Pass { first, second };

/// A part by itself, with what is assumed at its outputs.
template <Level level, Pass pass>
void assemble_module(const Plan& plan, int part, Workspace& work);
/// Compounds put together, and the loops closed that are complete then.
template <Level level, Pass pass>
void join_modules(const Plan& plan, int join, Workspace& work);
/// Multipliers and bases of the compounds of a join, from those of the join.
void open_modules(const Plan& plan, int join, Workspace& work);
/// Velocities or accelerations of a part from its base.
template <Level level>
void solve_module(const Plan& plan, int part, Workspace& work);
/// All of it by folding, one part after the other: where loops are open, and where somebody looks at folding's own numbers.
template <Level level>
void fold_modules(const Plan& plan, int, Workspace& work);

/// Rows of a node where compounds are joined, from theirs; for closures.cpp.
void put_joined_rows(const Plan& plan, const ClosureNode& node, const ClosureWork::Node& here, const Workspace& work);
void put_joined_constants(const Plan& plan, const ClosureNode& node, const ClosureWork::Node& here, const Workspace& work);

}  // namespace arthron
