#include "arthron/analysis/handle_reader.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "arthron/dynamics/velocity_state.hpp"

namespace arthron {

namespace {

using std::size_t;

/// Numbers of the free joints, as another plan of the model has them.
void renumber(const Plan& from, const State& state, const Plan& to, State& there) {
  there.t = state.t;
  for (size_t j = 0; j < to.joints.size(); ++j) {
    const PlanJoint &given = from.joints[j], &own = to.joints[j];
    if (own.closure >= 0 || own.driven) continue;
    std::copy_n(state.q.begin() + given.q, own.nq, there.q.begin() + own.q);
    std::copy_n(state.p.begin() + given.u, own.nu, there.p.begin() + own.u);
  }
}

nlohmann::ordered_json rows_of(const std::vector<double>& numbers, size_t columns) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (size_t first = 0; columns > 0 && first + columns <= numbers.size(); first += columns)
    rows.push_back(std::vector<double>(numbers.begin() + static_cast<std::ptrdiff_t>(first),
                                       numbers.begin() + static_cast<std::ptrdiff_t>(first + columns)));
  return rows;
}

nlohmann::ordered_json vector_of(const Vec3& v) { return {v.x, v.y, v.z}; }
nlohmann::ordered_json point_of(const HandlePoint& point) {
  return {{"body", point.body}, {"ports", point.ports}, {"position", vector_of(point.position)}};
}

nlohmann::ordered_json json_of(const HandleEquations& e) {
  const size_t rows = static_cast<size_t>(e.rows);
  nlohmann::ordered_json json{{"subsystem", e.subsystem}, {"mounted", e.mounted}};
  json["base"] = e.M.empty() ? nlohmann::ordered_json("grounds, whose motion is known") : point_of(e.base);
  json["outputs"] = nlohmann::ordered_json::array(), json["loops"] = nlohmann::ordered_json::array();
  for (const HandlePoint& output : e.outputs) json["outputs"].push_back(point_of(output));
  for (const HandleLoop& loop : e.loops) {
    nlohmann::ordered_json entry{
        {"joint", loop.name}, {"position", vector_of(loop.position)}, {"directions", nlohmann::ordered_json::array()}};
    for (const Spatial6& d : loop.directions)
      entry["directions"].push_back({d.linear.x, d.linear.y, d.linear.z, d.angular.x, d.angular.y, d.angular.z});
    json["loops"].push_back(std::move(entry));
  }
  if (!e.M.empty()) json["M"] = rows_of(e.M, 6), json["b"] = e.b, json["X"] = rows_of(e.X, rows);
  json["Gamma"] = rows_of(e.Gamma, rows), json["g"] = e.g;
  const std::optional<HandleEquations::Xi> xi = e.xi();
  if (!xi) return json;
  json["xi11"] = rows_of(xi->xi11, 6), json["xi12"] = rows_of(xi->xi12, rows), json["xi21"] = rows_of(xi->xi21, 6);
  json["xi22"] = rows_of(xi->xi22, rows), json["xi10"] = xi->xi10, json["xi20"] = xi->xi20;
  return json;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%12.5g", value);
  return text;
}

std::string matrix_text(const std::string& name, const std::vector<double>& numbers, size_t columns) {
  std::string text;
  for (size_t i = 0; columns > 0 && i < numbers.size(); ++i) {
    if (i % columns == 0) text += (i == 0 ? "  " + name + std::string(6 - std::min<size_t>(5, name.size()), ' ') : std::string(8, ' '));
    text += number(numbers[i]);
    if ((i + 1) % columns == 0) text += '\n';
  }
  return text;
}

std::string words_of(const HandlePoint& point) {
  std::string text = point.body;
  for (size_t i = 0; i < point.ports.size(); ++i) text += (i == 0 ? " (" : ", ") + point.ports[i];
  char at[96];
  std::snprintf(at, sizeof at, "%s at (%.6g, %.6g, %.6g) m", point.ports.empty() ? "" : ")", point.position.x, point.position.y,
                point.position.z);
  return text + at;
}

}  // namespace

HandleReader::~HandleReader() = default;

Status HandleReader::evaluate(const char* elimination, const Plan& plan, const State& state, const Workspace& work, Way& way) const {
  if (!way.plan) {
    Model model = *model_;
    model.simulation.elimination = elimination;
    model.simulation.formulation = "hdca";
    way.plan = compile(std::make_shared<const Model>(std::move(model)));
    way.work = make_workspace(*way.plan);
    if (const Status status = initial_state(*way.plan, *way.work, way.state); !status.ok()) return status;
  }
  renumber(plan, state, *way.plan, way.state);
  way.work->signals = work.signals, way.work->x = work.x;
  State& own = way.state;
  if (!plan.formulation->integrates_momenta()) {
    const std::vector<double> u = own.p;
    if (const Status status = momenta_of_velocities(*way.plan, own.t, own.q.data(), u.data(), own.p.data(), *way.work); !status.ok())
      return status;
  }
  return solve_velocities(*way.plan, own.t, own.q.data(), own.p.data(), *way.work);
}

Status HandleReader::mounted(const Plan& plan, const State& state, const Workspace& work, int subsystem,
                             std::vector<HandleEquations>& equations) {
  const Status status = evaluate("fold", plan, state, work, folded_);
  if (!status.ok()) return status;
  if (!mounted_) mounted_ = std::make_unique<MountedHandles>(*folded_.plan);
  mounted_->read(*folded_.work);
  equations = mounted_handles(*folded_.plan, *mounted_, subsystem, *folded_.work);
  return {};
}

Status HandleReader::alone(const Plan& plan, const State& state, const Workspace& work, int subsystem,
                           std::vector<HandleEquations>& equations) {
  const Status status = evaluate("modular", plan, state, work, modular_);
  if (status.ok()) equations = handles_alone(*modular_.plan, subsystem, *modular_.work);
  return status;
}

std::string to_json(const std::vector<HandleEquations>& equations, double t) {
  nlohmann::ordered_json json{
      {"t", t},
      {"equations",
       "P = M V + b + X s, w = X^T V + g - Gamma s; V = xi11 T1 + xi12 T2 + xi10, w = xi21 T1 + xi22 T2 + xi20, T1 = P, T2 = -s"},
      {"axes", "world; [linear; angular], about the point of the handle; six rows for each output, then those of the loops"},
      {"units", "P, s: N s and N m s; V, w: m/s and rad/s; positions: m"},
      {"subsystems", nlohmann::ordered_json::array()}};
  for (const HandleEquations& e : equations) json["subsystems"].push_back(json_of(e));
  return json.dump(1) + '\n';
}

std::string to_text(const HandleEquations& e) {
  const size_t rows = static_cast<size_t>(e.rows);
  std::string text = e.subsystem + (e.mounted ? ", as mounted" : ", alone") + '\n';
  text += "  base: " + (e.M.empty() ? "grounds, whose motion is known" : words_of(e.base)) + '\n';
  for (const HandlePoint& output : e.outputs) text += "  output, six rows: " + words_of(output) + '\n';
  for (const HandleLoop& loop : e.loops) text += "  loop, " + std::to_string(loop.directions.size()) + " rows: " + loop.name + '\n';
  text += matrix_text("M", e.M, 6) + matrix_text("b", e.b, 6) + matrix_text("X", e.X, rows) + matrix_text("Gamma", e.Gamma, rows) +
          matrix_text("g", e.g, rows);
  if (const auto xi = e.xi())
    text += matrix_text("xi11", xi->xi11, 6) + matrix_text("xi12", xi->xi12, rows) + matrix_text("xi22", xi->xi22, rows) +
            matrix_text("xi10", xi->xi10, 6) + matrix_text("xi20", xi->xi20, rows);
  return text;
}

}  // namespace arthron
