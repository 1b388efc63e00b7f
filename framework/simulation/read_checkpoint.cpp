#include <algorithm>
#include <cmath>

#include "arthron/component/json_document.hpp"
#include "arthron/component/json_source.hpp"
#include "arthron/model/files.hpp"
#include "arthron/plan/plan.hpp"
#include "arthron/simulation/checkpoint.hpp"

namespace arthron {
namespace {

std::int64_t count(const JsonReader& in, const Key& key) {
  constexpr double most = 1e15;
  const double number = in.number(key, {0, most});
  if (std::floor(number) != number) in.complain(key.name, std::to_string(number), "a whole number");
  return static_cast<std::int64_t>(number);
}

JointRecord read_joint(const std::string& path, const JsonReader& in) {
  JointRecord joint{.path = path, .type = in.text({"type", "", "type of the joint"})};
  if (in.has("type")) joint.line = in.source().line();
  joint.position = in.list({"position"}), joint.velocity = in.list({"velocity"});
  joint.coordinates = in.list({"coordinates"}), joint.momentum = in.list({"momentum"});
  return joint;
}

ForceRecord read_force(const std::string& path, const JsonReader& in) {
  ForceRecord force{.path = path, .type = in.text({"type", "", "type of the force"})};
  if (in.has("type")) force.line = in.source().line();
  force.states = in.list({"states"});
  return force;
}

StepRecord read_integrator(const JsonReader& in, Checkpoint& checkpoint) {
  StepRecord record{.t = checkpoint.t, .limit = checkpoint.t, .anew = !in.has("step")};
  checkpoint.formulation = in.text_or({"formulation"}, checkpoint.formulation);
  if (!find_formulation(checkpoint.formulation))
    in.complain("formulation", quote_text(checkpoint.formulation), "the name of a formulation");
  checkpoint.integrator = {in.text({"type", "", "method"}), in.number({"relative_tolerance"}), in.number({"absolute_tolerance"}),
                           in.number({"fixed_step", "s"})};
  record.statistics = {count(in, {"evaluations"}), count(in, {"steps_accepted"}), count(in, {"steps_rejected"}),
                       in.number({"last_step", "s"}, Range::non_negative())};
  record.memory = in.list({"cut_coordinates"});
  checkpoint.measured = in.list({"measured_coordinates"});
  const JsonReader step = in.object({"step"});
  if (record.anew) return record;
  record.t = step.number({"start", "s"}), record.limit = step.number({"limit", "s"});
  record.h = step.number({"length", "s"}, Range::positive());
  record.grid_start = step.number({"grid_start", "s"}), record.grid_steps = count(step, {"grid_steps"});
  record.y = step.list({"state"}), record.f = step.list({"rate"});
  record.carried = step.list({"carried"});
  if (record.t > checkpoint.t) step.complain("start", "a step that begins after the checkpoint's time", "one that leads there");
  if (record.limit < checkpoint.t) step.complain("limit", "a step that must end before the checkpoint's time", "one that leads there");
  return record;
}

std::vector<InputRecord> read_inputs(const JsonReader& in) {
  std::vector<InputRecord> inputs;
  for (const std::string& path : in.names()) {
    const JsonReader input = in.object({path});
    inputs.push_back({path, input.number({"value"}), input.number({"rate", "1/s"}), input.number({"since", "s"})});
    if (input.has("value")) inputs.back().line = input.source().line();
  }
  return inputs;
}

RunRecord read_run(const JsonReader& in) {
  RunRecord run;
  run.rows = count(in, {"rows"});
  run.last_row = in.number({"last_row", "s"}, {0, 1e9});
  run.energy_start = in.number({"energy_start", "J"}), run.energy_end = in.number({"energy_end", "J"});
  run.energy_drift = in.number({"energy_drift", "J"}), run.constraint_error = in.number({"constraint_error"});
  run.loop_opening = in.number({"loop_opening", "m"}), run.loop_opening_rate = in.number({"loop_opening_rate", "m/s"});
  const JsonReader orientations = in.object({"orientations"});
  for (const std::string& path : orientations.names()) {
    const std::vector<double> quaternion = orientations.coordinates({path}, 4);
    if (quaternion.size() == 4) std::copy_n(quaternion.begin(), 4, run.orientations[path].begin());
  }
  return run;
}

Checkpoint read_root(const JsonReader& in, std::string file) {
  Checkpoint checkpoint{.file = std::move(file)};
  checkpoint.format = in.integer({"arthron_checkpoint", "", "version of this format"}, 1, Checkpoint::version);
  checkpoint.model = in.text({"model", "", "name of the model"});
  checkpoint.subsystem = in.text_or({"subsystem"}, "");
  checkpoint.t = in.number({"time", "s"}, {0, 1e9});
  const JsonReader joints = in.object({"joints"});
  for (const std::string& path : joints.names()) checkpoint.joints.push_back(read_joint(path, joints.object({path})));
  if (in.has("forces")) {
    const JsonReader forces = in.object({"forces"});
    for (const std::string& path : forces.names()) checkpoint.forces.push_back(read_force(path, forces.object({path})));
  }
  if (in.has("integrator")) checkpoint.step = read_integrator(in.object({"integrator"}), checkpoint);
  if (in.has("inputs")) checkpoint.inputs = read_inputs(in.object({"inputs"}));
  if (in.has("run")) checkpoint.run = read_run(in.object({"run"}));
  return checkpoint;
}

Checkpoint read_document(const Files::Opened& opened, const std::string& file, std::vector<Diagnostic>& mistakes) {
  Checkpoint checkpoint;
  if (!opened.trouble.empty()) mistakes.push_back({file, 0, "", opened.trouble, "a checkpoint", ""});
  if (mistakes.empty()) {
    ReaderScope scope{*opened.document, mistakes};
    const JsonReader root(std::make_shared<JsonReader::Source>(scope, opened.document->root(), ""));
    checkpoint = read_root(root, file);
    root.reject_unknown_keys();
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return checkpoint;
}

}  // namespace

Checkpoint parse_checkpoint(const std::string& text, const std::string& file) {
  std::vector<Diagnostic> mistakes;
  Files files(mistakes);
  return read_document(files.add(text, file), file, mistakes);
}

Checkpoint read_checkpoint(const std::string& file) {
  std::vector<Diagnostic> mistakes;
  Files files(mistakes);
  return read_document(files.open(file), file, mistakes);
}

}  // namespace arthron
