#pragma once
#include <span>

#include "arthron/core/status.hpp"
#include "arthron/dynamics/workspace.hpp"
#include "arthron/plan/plan.hpp"

namespace arthron {

/// All that a restart needs. Acceleration-based formulations have velocities u in the place of the momenta p; x are the internal states of
/// forces.
struct State {
  double t = 0;
  std::vector<double> q, p, x{};
};

/// What a joint should start with: user coordinates and velocities per freedom, zeros when absent; or the joint's own coordinates, which
/// say more where the user's leave something open: a `distance` joint's also say in which frame its velocities are written.
struct JointStart {
  std::vector<double> position{}, velocity{}, coordinates{};
  bool keep = false;
};
/// The state at time t nearest to what the joints (in the Model's order) should start with: positions moved onto the closures, and the
/// velocities nearest to the given ones that the closures admit (least kinetic energy of the difference). Kept joints of the tree take no
/// part in either: Status::not_closed when the others cannot close alone. Driven joints start as they are driven. Internal states of forces
/// are taken from the workspace.
[[nodiscard]] Status assemble(const Plan& plan, const std::vector<JointStart>& starts, double t, Workspace& work, State& state);
/// The state the model describes at time 0.
[[nodiscard]] Status initial_state(const Plan& plan, Workspace& work, State& state);

/// (t, q, p) -> (qdot, pdot) by HDCA, formulation sections 2 and 4. Allocates nothing, throws nothing. Internal states of forces are those
/// in Workspace::x, here and below; their rates are found together with the loads and left in Workspace::xdot.
[[nodiscard]] Status evaluate(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot, Workspace& work);

/// Whether evaluate_rates may compute branches on SIMD lanes: measurements that are fed back may look at anything.
[[nodiscard]] inline bool may_group(const Plan& plan) { return plan.sensors.empty(); }
/// The same, the fastest way: branches that are alike are computed on SIMD lanes (SimdGroup), and of the bodies only positions, velocities
/// and loads are left in the workspace.
[[nodiscard]] Status evaluate_rates(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot,
                                    Workspace& work);

/// Accelerations, reactions and efforts at a state (section 6): does evaluate's work, then one more pass with the factors of phase one.
[[nodiscard]] Status evaluate_accelerations(const Plan& plan, double t, const double* q, const double* p, Workspace& work);

/// Moves the cut impulses of the state into its momenta (section 5): changes no velocity, and keeps the impulses from growing. Where there
/// are cut joints it also finds (qdot, pdot) of the state that it leaves; both may be null.
[[nodiscard]] Status reanchor(const Plan& plan, double t, const double* q, double* p, double* qdot, double* pdot, Workspace& work);
/// The same where place_and_project has just placed the bodies.
[[nodiscard]] Status reanchor_in_place(const Plan& plan, double* p, double* qdot, double* pdot, Workspace& work);

/// (t, q, p) -> (qdot, pdot) of the tree alone, as if its cut joints were open: their loads act, but no impulse.
[[nodiscard]] Status evaluate_released(const Plan& plan, double t, const double* q, const double* p, double* qdot, double* pdot,
                                       Workspace& work);
/// The momenta J^T sigma of cut impulses that, at rest, would open the closures with the velocities `rates` (as ClosureWork::error). What
/// no impulse can do, in free or redundant directions, is taken from these. Workspace::u has the velocities.
[[nodiscard]] Status opening_momenta(const Plan& plan, double t, const double* q, std::span<Spatial6> rates, double* p, Workspace& work);

/// Rates of all coordinates that go with the velocities in the workspace, in Workspace::qdot.
void coordinate_rates(const Plan& plan, Workspace& work);

/// not_finite with the first force whose load, or rate of an internal state, is not finite although all it knew was, at the last
/// evaluation; ok when there is none.
[[nodiscard]] Status forces_are_finite(const Plan& plan, const Workspace& work);

/// freedom_lost with the first joint whose columns H are not independent to the given measure, see independence(), or not_finite with one
/// whose columns are not although its coordinates are, at the last evaluation; ok when there is none. Cut joints whose coordinates nobody
/// follows are left out.
[[nodiscard]] Status freedoms_are_independent(const Plan& plan, const Workspace& work, double least);

/// Phase one alone, the fastest way: velocities of joints, in Workspace::u. Loads stay those of the last evaluation.
[[nodiscard]] Status find_velocities(const Plan& plan, double t, const double* q, const double* p, Workspace& work);
/// Phase one and all loads alone: velocities and cut impulses.
[[nodiscard]] Status solve_velocities(const Plan& plan, double t, const double* q, const double* p, Workspace& work);

/// What keeps the closures from being closed, at the last evaluation.
void find_openings(const Plan& plan, Workspace& work);
/// The same at coordinates q: displacement [m] and rotation [rad] of each closure, world axes.
std::span<const Spatial6> openings(const Plan& plan, double t, const double* q, Workspace& work);
/// The same, and coordinates (the nearest to those found before) and velocities of all cut joints. The equations of motion seldom need
/// them, so that evaluations leave them alone.
void measure_cuts(const Plan& plan, Workspace& work);
/// Largest opening of a closure [m], rotations measured with the closure's length scale; after find_openings.
[[nodiscard]] double closure_error(const Plan& plan, const Workspace& work);
/// The joint, as Status::element, of the closure that has it; -1 where there are none.
[[nodiscard]] int widest_joint(const Plan& plan, const Workspace& work);
/// The length scale of each closure [m].
[[nodiscard]] std::span<const double> closure_scales(const Workspace& work);
struct Projection {
  Status status;                       // not_closed names the widest cut joint
  double error_before = 0, error = 0;  // closure_error at the start and at the end
  double rounding = 0;                 // what a closed loop may show
  bool placed = false;                 // the workspace has the bodies where the coordinates put them
};
/// Brings the coordinates onto the closures by mass-weighted Newton steps until closure_error <= tolerance, or rounding where that is
/// larger.
[[nodiscard]] Projection project(const Plan& plan, double t, double* q, double tolerance, int most_steps, Workspace& work);
/// The same; bodies are left where the coordinates put them, as reanchor_in_place wants them.
[[nodiscard]] Projection place_and_project(const Plan& plan, double t, double* q, double tolerance, int most_steps, Workspace& work);

/// Brings coordinates back onto their manifolds (unit quaternions). True when there was anything to do.
bool normalise(const Plan& plan, double* q);

}  // namespace arthron
