#pragma once
#include "arthron/dynamics/dense6.hpp"
#include "arthron/dynamics/workspace.hpp"

/// Two-handle equations of the parts of a chain. A part that carries a joined one at its tip folds without it, and says instead, besides
/// P = M V + bias at its inboard end, how both ends depend on the momentum s that what is joined there takes up:
///   P = M V + bias + X s,      V_tip = X^T V + g - Gamma s.
/// Joining a near compound with the far one on its tip, whose momentum is s = M_far V_tip + bias_far + X_far s_far, gives one of the same
/// form; with N = (1 + Gamma M_far)^-1, which exists because both are positive semidefinite,
///   V_tip = N (X^T V + g - Gamma (bias_far + X_far s_far)).
/// Momenta p are those of all that a joint carries. Without s they would set a light part in motion a million times too fast, and the
/// digits of V_tip would be lost in g - Gamma s. So a chain is solved twice: once for s on a parent at rest, then, its parts folded again
/// with that much assumed at their tips, for what is left of s and for the velocities, all terms of which are of the size of the result.
namespace arthron {

/// The six rows of X, with Gamma and g, while a part folds.
struct OutputRows {
  std::array<Wide6, 6> X;
  std::array<double, 36> gamma;
  std::array<double, 6> g;        // of columns that move with u_at_rest
  std::array<double, 6> g_known;  // of motion that does not depend on momenta
};

struct ChainWork {
  explicit ChainWork(const Plan& plan);

  struct Part {
    WidePose base;    // of the body it hangs on
    OutputRows rows;  // of a part that carries a joined one
    Vector6 assumed;  // taken up at its tip, as its bias has it
    Vector6 s;        // taken up there beside that
    Wide6 V;          // of the body it hangs on: velocity, or acceleration
    Wide6 off_chain;     // bias of what leaves the part beside its chain
  };
  struct Compound {
    Matrix6 M, X, gamma;
    Vector6 bias, g;
    // Of a join: N, and both handles when they are known.
    Matrix6 N;
    Vector6 V, s;
  };
  std::vector<Part> part;
  std::vector<Compound> compound;  // parts, then joins
  std::vector<double> y;           // per velocity column of bodies on the chain, six: h^T X
  std::vector<Wide6> off_chain;       // per body on the chain: its bias without what comes along the chain
};

/// At the tip, where s acts.
void begin_rows(OutputRows& rows);
/// A column gives way under s, as it does under P.
void release_rows(const ColumnWork& column, ColumnShape shape, double* y, OutputRows& rows);
/// The same for the columns whose factors are known, without Gamma.
void release_known_rows(const ColumnWork& column, const double* y, OutputRows& rows);
/// g when a column would move with u on a parent at rest.
void move_rows(double u, const double* y, OutputRows& rows);
/// g_known when the body moves with V relative to its parent, before its columns give way.
void move_rows(const Wide6& V, OutputRows& rows);
/// To the parent's O.
void pass_rows(const Wide3& arm, OutputRows& rows);

/// Assumes the s that was found to be taken up at a part's tip, and finds bias and g with it. `efforts` are what the columns take up: p, or
/// tau for accelerations.
void refold_chain(const Plan& plan, int part, const std::vector<double>& efforts, Workspace& work);

/// Joins two compounds; with `factor` false only the right-hand sides, with the factors that are there.
void join_compounds(const Plan& plan, int join, bool factor, Workspace& work);
/// Both handles of the compounds of a join from those of the join.
void part_compounds(const Plan& plan, int join, Workspace& work);
/// The first part of a chain folds with all that is joined to it; its handles follow from the body it hangs on.
void close_chain(const Plan& plan, int chain, Workspace& work);
void open_chain(const Plan& plan, int chain, const Wide6& V, Workspace& work);

}  // namespace arthron
