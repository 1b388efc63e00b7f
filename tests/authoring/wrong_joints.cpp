#include <array>
#include <cmath>
#include <stdexcept>

#include "arthron/authoring/doctest.hpp"

/// Joints that are wrong in one way each: the checker must name that way, and measure it.
using namespace arthron;

namespace {

/// Turn about z, then about the turned x. Right as it stands.
struct Gimbal {
  static constexpr std::string_view type = "test/gimbal";
  static constexpr int nq = 2, nu = 2;
  static Gimbal parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {axis_rotation({0, 0, 1}, q[0]) * axis_rotation({1, 0, 0}, q[1]), {}};
  }
  template <class T>
  void subspace(const T* q, Spatial<T>* H) const {
    using std::cos, std::sin;
    H[0] = {{}, {T(0.0), T(0.0), T(1.0)}};
    H[1] = {{}, {cos(q[0]), sin(q[0]), T(0.0)}};
  }
  template <class T>
  void subspace_rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    using std::cos, std::sin;
    Hdot[0] = {};
    Hdot[1] = {{}, {-sin(q[0]) * u[0], cos(q[0]) * u[0], T(0.0)}};
  }
};

/// Hinge about z with everything an author may give. Right as it stands.
struct Hinge {
  static constexpr std::string_view type = "test/hinge";
  static constexpr int nq = 1, nu = 1;
  static constexpr bool constant_subspace = true;
  static Hinge parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {axis_rotation({0, 0, 1}, q[0]), {}};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {{}, {T(0.0), T(0.0), T(1.0)}};
  }
  void complement(const Pose<double>&, Spatial6* D) const {
    hold_point(D);
    D[3] = {{}, {1, 0, 0}}, D[4] = {{}, {0, 1, 0}};
  }
  void complement_rate(const Pose<double>&, const Spatial6&, Spatial6* Ddot) const { std::fill_n(Ddot, 5, Spatial6{}); }
  Spatial6 gap(const Pose<double>& X) const { return {X.p, {-X.R.c2.y, X.R.c2.x, 0}}; }
};

struct ScaledColumns : Gimbal {
  static constexpr std::string_view type = "test/scaled_columns";
  static ScaledColumns parse(const JsonReader&) { return {}; }
  template <class T>
  void subspace(const T* q, Spatial<T>* H) const {
    Gimbal::subspace(q, H);
    H[1] = T(1.25) * H[1];
  }
  template <class T>
  void subspace_rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    Gimbal::subspace_rate(q, u, Hdot);
    Hdot[1] = T(1.25) * Hdot[1];
  }
};

struct WrongSignOfRate : Gimbal {
  static constexpr std::string_view type = "test/wrong_sign_of_rate";
  static WrongSignOfRate parse(const JsonReader&) { return {}; }
  template <class T>
  void subspace_rate(const T* q, const T* u, Spatial<T>* Hdot) const {
    Gimbal::subspace_rate(q, u, Hdot);
    Hdot[1] = -Hdot[1];
  }
};

struct Stretching {
  static constexpr std::string_view type = "test/stretching";
  static constexpr int nq = 1, nu = 1;
  double stretch;
  static Stretching parse(const JsonReader& in) { return {in.number({"stretch", "", "of the body as it turns"})}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    Pose<T> X{axis_rotation({0, 0, 1}, q[0]), {}};
    X.R.c0 = (T(1.0) + T(0.01 * stretch) * q[0]) * X.R.c0;
    return X;
  }
};

struct WrongComplement : Hinge {
  static constexpr std::string_view type = "test/wrong_complement";
  static WrongComplement parse(const JsonReader&) { return {}; }
  void complement(const Pose<double>&, Spatial6* D) const {
    hold_point(D);
    D[3] = {{}, {1, 0, 0}}, D[4] = {{}, {0, 0.8, 0.6}};
  }
  Spatial6 gap(const Pose<double>& X) const {
    // Consistent with the wrong directions: nothing along the joint's own poses, the second couple along itself.
    return {X.p, {-X.R.c2.y, 0.8 * (0.8 * X.R.c2.x), 0.6 * (0.8 * X.R.c2.x)}};
  }
};

struct WrongComplementRate : Hinge {
  static constexpr std::string_view type = "test/wrong_complement_rate";
  static WrongComplementRate parse(const JsonReader&) { return {}; }
  void complement_rate(const Pose<double>&, const Spatial6& V, Spatial6* Ddot) const {
    std::fill_n(Ddot, 5, Spatial6{});
    Ddot[3] = {{}, {0, V.angular.z, 0}};
  }
  static constexpr bool constant_subspace = false;
};

struct WrongGap : Hinge {
  static constexpr std::string_view type = "test/wrong_gap";
  static WrongGap parse(const JsonReader&) { return {}; }
  Spatial6 gap(const Pose<double>& X) const { return {0.5 * X.p, {-X.R.c2.y, X.R.c2.x, 0}}; }
};

struct WrongShape {
  static constexpr std::string_view type = "test/wrong_shape";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array<ColumnShape, 1> shapes{ColumnShape::rotation};
  static WrongShape parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return screw_pose({0, 0, 1}, q[0], T(0.125) * q[0]);
  }
};

/// A hinge whose frame on the child is off its axis: seen from the child its column is no pure rotation.
struct OffsetHinge {
  static constexpr std::string_view type = "test/offset_hinge";
  static constexpr int nq = 1, nu = 1;
  static constexpr std::array<ColumnShape, 1> shapes{ColumnShape::rotation};
  static OffsetHinge parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {axis_rotation({0, 0, 1}, q[0]), {T(0.5), T(0.0), T(0.0)}};
  }
};

struct NotConstant : Gimbal {
  static constexpr std::string_view type = "test/not_constant";
  static constexpr bool constant_subspace = true;
  static NotConstant parse(const JsonReader&) { return {}; }
};

/// A hinge about z that keeps its angle as (cos, sin).
struct Crank {
  static constexpr std::string_view type = "test/circle";
  static constexpr int nq = 2, nu = 1;
  static Crank parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    const T zero(0.0), one(1.0);
    return {{{q[0], q[1], zero}, {-q[1], q[0], zero}, {zero, zero, one}}, {zero, zero, q[1]}};
  }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    qdot[0] = -q[1] * u[0], qdot[1] = q[0] * u[0];
  }
  void normalise(double* q) const {
    const double length = std::hypot(q[0], q[1]);
    q[0] /= length, q[1] /= length;
  }
  template <class T>
  void from_chart(const T* chart, T* q) const {
    using std::cos, std::sin;
    q[0] = cos(chart[0]), q[1] = sin(chart[0]);
  }
  template <class T>
  void to_chart(const T* q, T* chart) const {
    using std::atan2;
    chart[0] = atan2(q[1], q[0]);
  }
};

struct WrongChartRate : Crank {
  static constexpr std::string_view type = "test/wrong_chart_rate";
  static WrongChartRate parse(const JsonReader&) { return {}; }
  void chart_rate(const double*, const double* u, double* rate) const { rate[0] = 1.5 * u[0]; }
};

struct WrongChartMotion : Crank {
  static constexpr std::string_view type = "test/wrong_chart_motion";
  static WrongChartMotion parse(const JsonReader&) { return {}; }
  void chart_motion(const TimeFunction::Sample* chart, double* u, double* udot) const { u[0] = chart[0].rate, udot[0] = 0; }
};

struct LostChart : Crank {
  static constexpr std::string_view type = "test/lost_chart";
  static LostChart parse(const JsonReader&) { return {}; }
  template <class T>
  void to_chart(const T* q, T* chart) const {
    using std::atan2;
    chart[0] = atan2(q[1], q[0]) + T(0.5);
  }
};

struct WrongNormalise : Crank {
  static constexpr std::string_view type = "test/wrong_normalise";
  static WrongNormalise parse(const JsonReader&) { return {}; }
  template <class T>
  void coordinate_rate(const T* q, const T* u, T* qdot) const {
    qdot[0] = -q[1] * u[0] + T(0.5) * q[0] * u[0], qdot[1] = q[0] * u[0];
  }
};

/// Slides by the square of its coordinate: at zero it does not move.
struct Stuck {
  static constexpr std::string_view type = "test/stuck";
  static constexpr int nq = 1, nu = 1;
  static Stuck parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    return {Matrix3<T>::identity(), {q[0] * q[0], T(0.0), T(0.0)}};
  }
};

struct OtherOnLanes {
  static constexpr std::string_view type = "test/other_on_lanes";
  static constexpr int nq = 1, nu = 1;
  static constexpr bool branchless = true;
  double offset = 0.5;
  static OtherOnLanes parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    const double factor = std::is_same_v<T, Lanes> ? 2 : 1;
    return {Matrix3<T>::identity(), {T(factor * offset) + q[0], T(0.0), T(0.0)}};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {{T(1.0), T(0.0), T(0.0)}, {}};
  }
  friend bool operator==(const OtherOnLanes&, const OtherOnLanes&) = default;
};

struct Throwing : Gimbal {
  static constexpr std::string_view type = "test/throwing";
  static Throwing parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    if (q[0] > T(0.2)) throw std::runtime_error("out of range");
    return Gimbal::pose(q);
  }
};

/// Ripples that are finer than any difference.
struct Rough {
  static constexpr std::string_view type = "test/rough";
  static constexpr int nq = 1, nu = 1;
  static Rough parse(const JsonReader&) { return {}; }
  template <class T>
  Pose<T> pose(const T* q) const {
    T slide = q[0];
    if constexpr (std::is_same_v<T, double>) slide += 1e-3 * std::sin(1e7 * q[0]);
    return {Matrix3<T>::identity(), {slide, T(0.0), T(0.0)}};
  }
  template <class T>
  void subspace(const T*, Spatial<T>* H) const {
    H[0] = {{T(1.0), T(0.0), T(0.0)}, {}};
  }
};

/// Two numbers that random ones will not be.
struct Particular : Hinge {
  static constexpr std::string_view type = "test/particular";
  static Particular parse(const JsonReader& in) {
    if (in.number({"teeth"}) != 12) in.complain("teeth", "some number", "12");
    return {};
  }
};
struct ParticularWithExample : Particular {
  static constexpr std::string_view type = "test/particular_with_example";
  static constexpr std::string_view example = R"({"teeth": 12, "limits": {"lower": 0.1, "upper": 0.2, "stiffness": 1}})";
  static ParticularWithExample parse(const JsonReader& in) {
    (void)Particular::parse(in);
    return {};
  }
};

template <class J>
std::vector<Finding> failures() {
  return examine_joint_type<J>().failures();
}

/// The one identity that fails.
template <class J>
Finding failure() {
  const auto failed = failures<J>();
  REQUIRE(failed.size() == 1);
  return failed[0];
}

}  // namespace

TEST_CASE("joints that are right pass, by the line an author writes") {
  ARTHRON_CHECK_JOINT(Gimbal);
  ARTHRON_CHECK_JOINT(Hinge);
  ARTHRON_CHECK_JOINT(Crank);
}

TEST_CASE("columns that are too long by a quarter: H is no rate of the pose, by 0.25, in that column, at stated coordinates") {
  const Finding finding = failure<ScaledColumns>();
  CHECK(finding.identity == "H is the rate of the pose");
  CHECK(finding.figure == doctest::Approx(0.25).epsilon(1e-6));
  CHECK(finding.where.starts_with("in column 2 with {\"type\":\"test/scaled_columns\"} at q = ["));
  const std::string words = failures_in_words(examine_joint_type<ScaledColumns>()).front();
  CHECK(words.starts_with("joint test/scaled_columns: \"H is the rate of the pose\" is off by 0.25 (allowed 1e-09) in column 2 with"));
}

TEST_CASE("column rates of the wrong sign: Hdot is no rate of H") {
  const Finding finding = failure<WrongSignOfRate>();
  CHECK(finding.identity == "Hdot is the rate of H");
  CHECK(finding.figure > 0.1);
}

TEST_CASE("a pose that stretches: R is no rotation") {
  const Finding finding = failure<Stretching>();
  CHECK(finding.identity == "R of the pose is a rotation");
  CHECK(finding.figure > 1e-4);
  CHECK(finding.figure < 0.03);
  CHECK(finding.where.find("\"stretch\":") != std::string::npos);
}

TEST_CASE("a complement that is not across the freedom") {
  const Finding finding = failures<WrongComplement>().front();
  CHECK(finding.identity == "complement is across H");
  CHECK(finding.figure == doctest::Approx(0.6).epsilon(1e-12));
  CHECK(finding.where.starts_with("in direction 5 "));
}

TEST_CASE("rates of a complement that does not move") {
  CHECK(failure<WrongComplementRate>().identity == "complement_rate is the rate of complement");
}

TEST_CASE("a gap of half the displacement") {
  const Finding finding = failure<WrongGap>();
  CHECK(finding.identity == "gap grows as the joint is forced along complement");
  CHECK(finding.figure == doctest::Approx(0.5).epsilon(1e-6));
}

TEST_CASE("a screw that says it only turns, and a hinge off its axis: columns do not keep their shapes") {
  const Finding finding = failure<WrongShape>();
  CHECK(finding.identity == "columns of H keep the shapes declared");
  CHECK(finding.figure == doctest::Approx(0.125).epsilon(1e-12));
  const Finding offset = failure<OffsetHinge>();
  CHECK(offset.identity == "columns of H keep the shapes declared");
  CHECK(offset.figure == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(offset.where.find("seen from the child") != std::string::npos);
}

TEST_CASE("columns that change though they are declared constant") {
  const Finding finding = failure<NotConstant>();
  CHECK(finding.identity == "H is constant, as constant_subspace says");
  CHECK(finding.figure > 0.1);
}

TEST_CASE("charts: a wrong rate, a wrong motion, one that does not come back, and coordinates that leave their manifold") {
  const Finding rate = failure<WrongChartRate>();
  CHECK(rate.identity == "chart_rate is the rate of to_chart");
  CHECK(rate.figure > 0.1);
  CHECK(failure<WrongChartMotion>().identity == "chart_motion gives the rate of that u");
  const Finding lost = failures<LostChart>().front();
  CHECK(lost.identity == "user coordinates survive the way to q and back");
  CHECK(lost.figure == doctest::Approx(0.5).epsilon(1e-6));
  const auto left = failures<WrongNormalise>();
  CHECK(std::any_of(left.begin(), left.end(),
                    [](const Finding& finding) { return finding.identity == "coordinate_rate moves along what normalise keeps"; }));
}

TEST_CASE("a joint that cannot move at its start: columns are dependent there") {
  const Finding finding = failure<Stuck>();
  CHECK(finding.identity == "columns of H are independent (condition of H)");
  CHECK(std::isinf(finding.figure));
  CHECK(finding.where.find("q = [0]") != std::string::npos);
}

TEST_CASE("a pose too rough to be differentiated is told so, and does not pass") {
  const auto failed = failures<Rough>();
  REQUIRE(!failed.empty());
  CHECK(failed[0].identity == "H is the rate of the pose");
  CHECK(failed[0].where.starts_with("finite differences settle nowhere"));
}

TEST_CASE("a joint with other numbers on SIMD lanes") { CHECK(failure<OtherOnLanes>().identity == "SIMD lanes give the same numbers"); }

TEST_CASE("a joint that throws is told so, with what it says") {
  const Finding finding = failure<Throwing>();
  CHECK(finding.identity == "the author's code throws nothing");
  CHECK(finding.where.find("out of range") != std::string::npos);
}

TEST_CASE("a joint that takes no random parameters is asked for an example, and examined with it, within its limits") {
  const Finding finding = failure<Particular>();
  CHECK(finding.identity == "parse accepts the parameters");
  CHECK(finding.where.find("give the type an `example`") != std::string::npos);
  CHECK(finding.where.find("expected 12") != std::string::npos);
  ARTHRON_CHECK_JOINT(ParticularWithExample);
}
