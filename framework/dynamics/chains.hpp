#pragma once
#include "arthron/dynamics/compound.hpp"

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

struct ChainWork {
  explicit ChainWork(const Plan& plan);

  struct Part {
    WidePose base;    // of the body it hangs on
    Wide6 V;          // of the body it hangs on: velocity, or acceleration
    Wide6 off_chain;  // bias of what leaves the part beside its chain
    // Of a part that carries a joined one, its six open rows.
    std::array<Lanes4, 12> X, gamma;
    std::array<Lanes4, 2> g, g_known;
    Vector6 assumed;          // taken up at its tip, as its bias has it
    std::array<Lanes4, 2> s;  // taken up there beside that
  };
  struct Joined : Segment {
    Matrix6 N;     // of a join
    Vector6 V, s;  // both handles when they are known
  };
  std::vector<Part> part;
  std::vector<Joined> compound;          // parts, then joins
  std::vector<std::array<Lanes4, 2>> y;  // per velocity column of bodies on the chain: h^T X
  std::vector<Wide6> off_chain;          // per body on the chain: its bias without what comes along the chain
};

/// The open rows of a part at a body on the way to its tip.
[[nodiscard]] OpenRows tip_rows(const PlanBody& body, int part, Workspace& work);
/// At the tip, where s acts.
void begin_tip(const OpenRows& rows);
/// Bias of a part with a tip, nothing assumed to be taken up there; `along` has come along the chain.
void end_chain(const PlanPart& part, int number, const Wide6& along, Workspace& work);

/// Assumes the s that was found to be taken up at a part's tip, and finds bias and g with it. `efforts` are what the columns take up: p, or
/// tau for accelerations.
void refold_chain(const Plan& plan, int part, const std::vector<double>& efforts, Workspace& work);

/// Joins two compounds; or only their right-hand sides, with the matrices that are there.
void join_compounds(const Plan& plan, int join, Workspace& work);
void join_biases(const Plan& plan, int join, Workspace& work);
/// Both handles of the compounds of a join from those of the join.
void part_compounds(const Plan& plan, int join, Workspace& work);
/// The first part of a chain folds with all that is joined to it; its handles follow from the body it hangs on.
void close_chain(const Plan& plan, int chain, Workspace& work);
void open_chain(const Plan& plan, int chain, const Wide6& V, Workspace& work);

}  // namespace arthron
