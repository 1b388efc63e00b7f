#include "arthron/simulation/checkpoint.hpp"

#include <algorithm>

#include "arthron/component/json_document.hpp"
#include "arthron/simulation/output_file.hpp"

namespace arthron {
namespace {

using std::size_t;

Json joint_json(const JointRecord& joint) {
  Json json = {{"type", joint.type}};
  const auto add = [&json](const char* key, const std::vector<double>& values) {
    if (!values.empty()) json[key] = values;
  };
  add("position", joint.position), add("velocity", joint.velocity);
  add("coordinates", joint.coordinates), add("momentum", joint.momentum);
  return json;
}

Json integrator_json(const Checkpoint& checkpoint) {
  const StepRecord& step = *checkpoint.step;
  Json json = {{"formulation", checkpoint.formulation},
               {"type", checkpoint.integrator.type},
               {"relative_tolerance", checkpoint.integrator.relative_tolerance},
               {"absolute_tolerance", checkpoint.integrator.absolute_tolerance},
               {"fixed_step", checkpoint.integrator.step},
               {"evaluations", step.statistics.evaluations},
               {"steps_accepted", step.statistics.accepted},
               {"steps_rejected", step.statistics.rejected},
               {"last_step", step.statistics.last_step},
               {"cut_coordinates", step.memory},
               {"measured_coordinates", checkpoint.measured}};
  if (!step.anew)
    json["step"] = {
        {"start", step.t}, {"limit", step.limit}, {"length", step.h}, {"grid_start", step.grid_start}, {"grid_steps", step.grid_steps},
        {"state", step.y}, {"rate", step.f}};
  if (!step.anew && !step.carried.empty()) json["step"]["carried"] = step.carried;
  return json;
}

Json run_json(const RunRecord& run) {
  return {{"rows", run.rows},
          {"last_row", run.last_row},
          {"energy_start", run.energy_start},
          {"energy_end", run.energy_end},
          {"energy_drift", run.energy_drift},
          {"constraint_error", run.constraint_error},
          {"loop_opening", run.loop_opening},
          {"loop_opening_rate", run.loop_opening_rate},
          {"orientations", run.orientations}};
}

/// One line for every member of the objects at the two outer levels.
void append(std::string& text, const Json& json, int level) {
  if (level == 2 || !json.is_object()) {
    text += json.dump();
    return;
  }
  const std::string indent(2 * static_cast<size_t>(level) + 2, ' ');
  text += "{";
  for (auto member = json.begin(); member != json.end(); ++member) {
    text += (member == json.begin() ? "\n" : ",\n") + indent + Json(member.key()).dump() + ": ";
    append(text, *member, level + 1);
  }
  text += "\n" + indent.substr(2) + "}";
}

[[noreturn]] void refuse(const Checkpoint& checkpoint, int line, std::string pointer, std::string found, std::string expected,
                         std::string suggestion = "") {
  throw ModelError({{checkpoint.file, line, std::move(pointer), std::move(found), std::move(expected), std::move(suggestion)}});
}

void check_joint(const Checkpoint& checkpoint, const JointRecord& record, const Joint& joint) {
  const JointType& type = joint.definition->type();
  const std::string pointer = join_pointer("/joints", record.path);
  if (record.type != type.name())
    refuse(checkpoint, record.line, pointer + "/type", quote_text(record.type),
           quote_text(type.name()) + ", the type of joint " + quote_text(joint.path));
  const auto check = [&](const char* key, const std::vector<double>& values, int count, bool optional) {
    if (std::ssize(values) == count || (optional && values.empty())) return;
    refuse(checkpoint, record.line, pointer + "/" + key, std::to_string(values.size()) + " numbers",
           std::to_string(count) + ", as joint " + quote_text(joint.path) + " has");
  };
  check("position", record.position, type.nu(), false), check("velocity", record.velocity, type.nu(), false);
  check("coordinates", record.coordinates, type.nq(), type.nq() == type.nu()), check("momentum", record.momentum, type.nu(), true);
}

void check_force(const Checkpoint& checkpoint, const ForceRecord& record, const Force& force) {
  const ForceType& type = force.definition->type();
  const std::string pointer = join_pointer("/forces", record.path);
  if (record.type != type.name())
    refuse(checkpoint, record.line, pointer + "/type", quote_text(record.type),
           quote_text(type.name()) + ", the type of force " + quote_text(force.path));
  if (record.states.size() != type.states().size())
    refuse(checkpoint, record.line, pointer + "/states", std::to_string(record.states.size()) + " numbers",
           std::to_string(type.states().size()) + ", as force " + quote_text(force.path) + " has");
}

/// What elements are called in messages.
struct Wording {
  const char *pointer, *element, *elements;
};

/// Per element of the model the record that fits it; null for those outside of the subsystem and those that are not kept.
template <class Record, class Element, class Kept, class Check>
std::vector<const Record*> matched(const Checkpoint& checkpoint, const std::vector<Record>& records, const std::vector<Element>& elements,
                                   const std::string& whole, const std::string& subsystem, const Wording& words, const Kept& kept,
                                   const Check& check) {
  std::vector<const Record*> found(elements.size(), nullptr);
  std::vector<std::string> names, recorded;
  for (const Record& record : records) recorded.push_back(record.path);
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!is_inside(elements[i].path, subsystem) || !kept(elements[i])) continue;
    names.push_back(path_inside(elements[i].path, subsystem));
    const auto place = std::find(recorded.begin(), recorded.end(), names.back());
    if (place == recorded.end())
      refuse(checkpoint, 0, words.pointer, std::string("no ") + words.element + ' ' + quote_text(names.back()),
             std::string("all ") + words.elements + " of " + quote_text(whole), nearest_name(names.back(), recorded));
    found[i] = &records[place - recorded.begin()];
    check(checkpoint, *found[i], elements[i]);
  }
  for (const Record& record : records)
    if (std::find(names.begin(), names.end(), record.path) == names.end())
      refuse(checkpoint, record.line, join_pointer(words.pointer, record.path), std::string(words.element) + ' ' + quote_text(record.path),
             std::string(words.elements) + " of " + quote_text(subsystem.empty() ? whole : subsystem) + " alone",
             nearest_name(record.path, names));
  return found;
}

}  // namespace

bool is_inside(const std::string& path, const std::string& subsystem) {
  return subsystem.empty() || (path.size() > subsystem.size() && path.starts_with(subsystem) && path[subsystem.size()] == '.');
}

std::string path_inside(const std::string& path, const std::string& subsystem) {
  return subsystem.empty() ? path : path.substr(subsystem.size() + 1);
}

Checkpoint Checkpoint::part(const std::string& path) const {
  Checkpoint part{.model = model, .subsystem = subsystem.empty() ? path : subsystem + "." + path, .t = t, .file = file};
  for (JointRecord joint : joints) {
    if (!is_inside(joint.path, path)) continue;
    joint.path = path_inside(joint.path, path);
    joint.momentum.clear();
    part.joints.push_back(std::move(joint));
  }
  for (ForceRecord force : forces) {
    if (!is_inside(force.path, path)) continue;
    force.path = path_inside(force.path, path);
    part.forces.push_back(std::move(force));
  }
  if (part.joints.empty()) refuse(*this, 0, "/joints", "no joint in " + quote_text(path), "the path of a subsystem with joints");
  return part;
}

std::string to_text(const Checkpoint& checkpoint) {
  Json json = {{"arthron_checkpoint", Checkpoint::version},
               {"model", checkpoint.model},
               {"subsystem", checkpoint.subsystem},
               {"time", checkpoint.t},
               {"joints", Json::object()}};
  for (const JointRecord& joint : checkpoint.joints) json["joints"][joint.path] = joint_json(joint);
  for (const ForceRecord& force : checkpoint.forces) json["forces"][force.path] = {{"type", force.type}, {"states", force.states}};
  if (checkpoint.step) json["integrator"] = integrator_json(checkpoint);
  if (checkpoint.inputs) {
    json["inputs"] = Json::object();
    for (const InputRecord& input : *checkpoint.inputs)
      json["inputs"][input.path] = {{"value", input.value}, {"rate", input.rate}, {"since", input.since}};
  }
  if (checkpoint.run) json["run"] = run_json(*checkpoint.run);
  std::string text;
  append(text, json, 0);
  return text + '\n';
}

void write_checkpoint(const Checkpoint& checkpoint, const std::string& file, const std::string& option) {
  OutputFile output(file, option);
  output.write(to_text(checkpoint));
  output.commit();
}

std::vector<const JointRecord*> fitting_records(const Checkpoint& checkpoint, const Model& model, const std::string& subsystem) {
  return matched(
      checkpoint, checkpoint.joints, model.joints, model.name, subsystem, {"/joints", "joint", "joints"}, [](const Joint&) { return true; },
      check_joint);
}

std::vector<const ForceRecord*> fitting_forces(const Checkpoint& checkpoint, const Model& model, const std::string& subsystem) {
  return matched(
      checkpoint, checkpoint.forces, model.forces, model.name, subsystem,
      {"/forces", "internal states of force", "forces with internal states"},
      [](const Force& force) { return !force.definition->type().states().empty(); }, check_force);
}

}  // namespace arthron
