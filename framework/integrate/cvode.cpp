#ifdef ARTHRON_HAS_SUNDIALS
#include "arthron/integrate/cvode.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <exception>
#include <utility>

#include "arthron/core/diagnostic.hpp"
#include "arthron/integrate/checked_rhs.hpp"

namespace arthron {
namespace {

constexpr int largest_dense_jacobian = 300;
/// Allowances change slowly, and may cost as much as an evaluation: they are found again after so many steps.
constexpr int steps_between_allowances = 5;
/// A correction by after_step below this many tolerances stays out of the history: a restart would cost more than it gives.
constexpr double tolerated_correction = 10;

template <class T>
T* created(T* object) {
  if (object == nullptr) throw InternalError("CVODE gives what it is asked to create");
  return object;
}

void checked(int flag) {
  if (flag < 0) throw InternalError("CVODE accepts its settings");
}

/// Owns CVODE's objects. They are made at the first start and reused; a state of at least one entry keeps CVODE content.
class Cvode final : public Integrator {
 public:
  Cvode(int method, const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode)
      : settings_(settings), limits_(limits), ode_(ode), rhs_(ode, statistics_) {
#if SUNDIALS_VERSION_MAJOR >= 7
    checked(SUNContext_Create(SUN_COMM_NULL, &context_));
    checked(SUNContext_ClearErrHandlers(context_));
#else
    checked(SUNContext_Create(nullptr, &context_));
#endif
    y_internal_ = created(N_VNew_Serial(std::max(1, ode.size()), context_));
    N_VConst(0, y_internal_);
    memory_ = created(CVodeCreate(method, context_));
    checked(CVodeInit(memory_, evaluate, 0, y_internal_));
    checked(CVodeSetUserData(memory_, this));
#if SUNDIALS_VERSION_MAJOR < 7
    checked(CVodeSetErrHandlerFn(memory_, [](int, const char*, const char*, char*, void*){}, nullptr));
#endif
    checked(CVodeWFtolerances(memory_, weigh));
    allowance_.resize(ode.size());
    checked(CVodeSetMaxHnilWarns(memory_, -1));
    if (std::isfinite(limits.max_step)) checked(CVodeSetMaxStep(memory_, limits.max_step));
    if (method == CV_ADAMS) {
      use_functional_iteration();
    } else {
      use_newton_iteration();
      checked(CVodeSetProjFn(memory_, project));
      checked(CVodeSetProjErrEst(memory_, 0));
    }
  }

  ~Cvode() override {
    CVodeFree(&memory_);
    SUNNonlinSolFree(nonlinear_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(jacobian_);
    N_VDestroy(y_internal_);
    SUNContext_Free(&context_);
  }

  Status start(double t0, const std::vector<double>& y0) override {
    y_ = y0, t_ = t_old_ = t0;
    std::vector<double> f(y0.size());
    rhs_.forgive();
    rhs_.evaluate(t0, y_.data(), f.data());
    if (!rhs_.status().ok()) return rhs_.status();
    restart_due_ = true;
    return {};
  }

  StepRecord last_step() const override {
    StepRecord record{.t = t_, .limit = t_, .y = y_, .statistics = statistics_, .anew = true};
    record.memory.assign(ode_.memory().begin(), ode_.memory().end());
    return record;
  }

  Status repeat(const StepRecord& record) override {
    statistics_ = record.statistics;
    std::copy(record.memory.begin(), record.memory.end(), ode_.memory().begin());
    return start(record.t, record.y);
  }

  Status step(double t_limit) override {
    if (t_ >= t_limit) return {};
    if (statistics_.accepted + statistics_.rejected >= limits_.max_steps)
      return {Status::Code::too_many_steps, ode_.element_of(worst_entry())};
    if (restart_due_) restart();
    const double target = std::isfinite(t_limit) ? t_limit : t_ + 1;
    if (std::isfinite(t_limit)) checked(CVodeSetStopTime(memory_, t_limit));
    rhs_.forgive();
    last_failure_ = {Status::Code::step_too_small, -1};
    double t_new = t_;
    const int flag = CVode(memory_, target, y_internal_, &t_new, CV_ONE_STEP);
    count_steps();
    if (thrown_) {
      restart_due_ = true;
      std::rethrow_exception(std::exchange(thrown_, nullptr));
    }
    if (flag < 0 || !(t_new > t_)) {
      if (last_failure_.element < 0) last_failure_.element = ode_.element_of(worst_entry());
      return last_failure_;
    }
    t_old_ = t_, t_ = t_new;
    statistics_.last_step = t_ - t_old_;
    copy_out(y_);
    correct();
    return {};
  }

  Status interpolate(double t, std::vector<double>& y) override {
    if (t == t_ || t_old_ == t_) {
      y = y_;
    } else {
      checked(CVodeGetDky(memory_, t, 0, y_internal_));
      copy_out(y);
    }
    return {};
  }

 private:
  static int evaluate(double t, N_Vector y, N_Vector dydt, void* self) {
    Cvode& me = *static_cast<Cvode*>(self);
    N_VConst(0, dydt);
    me.rhs_.forgive();
    // Nothing is thrown through a library in C.
    try {
      me.rhs_.evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt));
    } catch (...) {
      me.thrown_ = std::current_exception();
      return -1;
    }
    if (me.rhs_.status().ok()) return 0;
    me.last_failure_ = me.rhs_.status();
    return 1;
  }

  /// Onto the manifold within a step: what the method remembers stays there, which no correction after the step can see to.
  static int project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
    Cvode& me = *static_cast<Cvode*>(self);
    const double* const found = N_VGetArrayPointer(y);
    double* const change = N_VGetArrayPointer(correction);
    N_VConst(0, correction);
    me.projected_.assign(found, found + me.ode_.size());
    try {
      if (!me.ode_.project(t, me.projected_.data())) return 0;
    } catch (...) {
      me.thrown_ = std::current_exception();
      return -1;
    }
    for (std::size_t i = 0; i < me.projected_.size(); ++i) change[i] = me.projected_[i] - found[i];
    return 0;
  }

  static int weigh(N_Vector y, N_Vector weights, void* self) {
    Cvode& me = *static_cast<Cvode*>(self);
    N_VConst(1, weights);
    double t = me.t_;
    if (CVodeGetCurrentTime(me.memory_, &t) < 0) return -1;
    try {
      if (me.allowance_age_++ % steps_between_allowances == 0) me.find_allowances(t, N_VGetArrayPointer(y));
    } catch (...) {
      me.thrown_ = std::current_exception();
      return -1;
    }
    for (std::size_t i = 0; i < me.allowance_.size(); ++i) N_VGetArrayPointer(weights)[i] = 1 / me.allowance_[i];
    return 0;
  }

  void find_allowances(double t, const double* y) {
    ode_.allowances(t, y, settings_.absolute_tolerance, settings_.relative_tolerance, allowance_.data());
  }

  void use_functional_iteration() {
    nonlinear_ = created(SUNNonlinSol_FixedPoint(y_internal_, 0, context_));
    checked(CVodeSetNonlinearSolver(memory_, nonlinear_));
  }

  void use_newton_iteration() {
    const int n = std::max(1, ode_.size());
    if (n <= largest_dense_jacobian) {
      jacobian_ = created(SUNDenseMatrix(n, n, context_));
      linear_ = created(SUNLinSol_Dense(y_internal_, jacobian_, context_));
    } else {
      linear_ = created(SUNLinSol_SPGMR(y_internal_, SUN_PREC_NONE, 0, context_));
    }
    checked(CVodeSetLinearSolver(memory_, linear_, jacobian_));
  }

  /// Forgets the history and goes on from (t_, y_).
  void restart() {
    steps_before_ = statistics_.accepted, rejected_before_ = statistics_.rejected;
    std::copy(y_.begin(), y_.end(), N_VGetArrayPointer(y_internal_));
    checked(CVodeReInit(memory_, t_, y_internal_));
    restart_due_ = false;
    allowance_age_ = 0;
  }

  /// Lets the Ode correct the state as seen from outside; a large correction also restarts the method at the next step.
  void correct() {
    if (!ode_.after_step(t_, y_.data())) return;
    const double* raw = N_VGetArrayPointer(y_internal_);
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (std::abs(y_[i] - raw[i]) > tolerated_correction * allowance_[i]) restart_due_ = true;
  }

  void count_steps() {
    long steps = 0, error_failures = 0, solve_failures = 0;
    checked(CVodeGetNumSteps(memory_, &steps));
    checked(CVodeGetNumErrTestFails(memory_, &error_failures));
    checked(CVodeGetNumStepSolveFails(memory_, &solve_failures));
    statistics_.accepted = steps_before_ + steps;
    statistics_.rejected = rejected_before_ + error_failures + solve_failures;
  }

  /// State entry with the largest estimated error in units of its tolerance.
  int worst_entry() const {
    const N_Vector errors = N_VClone(y_internal_);
    checked(CVodeGetEstLocalErrors(memory_, errors));
    checked(CVodeGetErrWeights(memory_, y_internal_));
    const double *error = N_VGetArrayPointer(errors), *weight = N_VGetArrayPointer(y_internal_);
    int worst = 0;
    for (int i = 1; i < ode_.size(); ++i) {
      if (std::abs(error[i] * weight[i]) > std::abs(error[worst] * weight[worst])) worst = i;
    }
    N_VDestroy(errors);
    return worst;
  }

  void copy_out(std::vector<double>& y) const {
    const double* values = N_VGetArrayPointer(y_internal_);
    std::copy(values, values + ode_.size(), y.begin());
  }

  IntegratorSettings settings_;
  IntegratorLimits limits_;
  Ode& ode_;
  CheckedRhs rhs_;
  Status last_failure_;
  std::exception_ptr thrown_;      // by the right-hand side
  std::vector<double> allowance_;  // of the last weights
  std::vector<double> projected_;
  int allowance_age_ = 0;
  SUNContext context_ = nullptr;
  N_Vector y_internal_ = nullptr;
  void* memory_ = nullptr;
  SUNMatrix jacobian_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
  bool restart_due_ = false;
  std::int64_t steps_before_ = 0, rejected_before_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_adams(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode) {
  return std::make_unique<Cvode>(CV_ADAMS, settings, limits, ode);
}

std::unique_ptr<Integrator> make_bdf(const IntegratorSettings& settings, const IntegratorLimits& limits, Ode& ode) {
  return std::make_unique<Cvode>(CV_BDF, settings, limits, ode);
}

}  // namespace arthron
#endif
