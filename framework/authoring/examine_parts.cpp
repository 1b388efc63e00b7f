#include <cmath>

#include "arthron/authoring/agreement.hpp"
#include "arthron/authoring/examine.hpp"
#include "arthron/authoring/measures.hpp"
#include "arthron/authoring/random_keys.hpp"
#include "arthron/component/author_code.hpp"
#include "arthron/component/body.hpp"
#include "arthron/component/json_source.hpp"
#include "arthron/component/subsystem.hpp"
#include "arthron/core/diagnostic.hpp"
#include "arthron/model/load.hpp"
#include "arthron/simulation/channels.hpp"

namespace arthron {

namespace {

constexpr Identity loader_accepts{"the loader accepts what random keys make", 0};
constexpr Identity body_is_repeatable{"the same keys give the same body", 0};
constexpr Identity body_moves_with_frame{"mass centre and inertia move with the body's frame", 1e-12};
constexpr Identity content_is_repeatable{"the same keys build the same content", 0};
constexpr Identity model_starts{"what is built can start", 0};
constexpr int wanted = 5, attempts = 40;

using Json = nlohmann::ordered_json;

/// Examines what random keys make until that has worked a few times; `examine` throws ModelError where they make nothing.
template <class Draw, class Examine>
void for_draws(Examination& examination, const Draw& draw, const Examine& examine) {
  std::string refusal;
  int made = 0;
  for (int i = 0; i < attempts && made < wanted; ++i) {
    Json keys;
    try {
      keys = draw();
      examine(keys);
      ++made;
    } catch (const ModelError& mistakes) {
      refusal = keys.dump() + " is refused: " + mistakes.what();
    } catch (const InternalError&) {
      throw;
    } catch (...) {
      refusal = words_of_exception() + " is thrown, with " + keys.dump();
      break;
    }
  }
  examination.note(loader_accepts, made == 0 ? std::nan("") : 0, [&] { return refusal; });
}

std::vector<double> numbers_of(const Body& body) {
  std::vector<double> values{body.mass,       body.inertia.xx, body.inertia.yy, body.inertia.zz,
                             body.inertia.xy, body.inertia.xz, body.inertia.yz};
  append(values, body.com);
  return values;
}

Body body_with(const Json& keys, const Registry& registry) {
  const Json model{{"arthron", 1},
                   {"name", "body under examination"},
                   {"grounds", {{"shaker", Json::object()}}},
                   {"bodies", {{"body", keys}}},
                   {"joints", {{"free", {{"type", "free"}, {"parent", "ground"}, {"child", "body"}, {"at", {0, 0, 0}}}}}}};
  return parse_model(model.dump(), "component", registry).bodies.back();
}

/// What a subsystem type builds of keys. Throws ModelError.
Json content_of(const SubsystemType& type, const Json& keys) {
  std::vector<Diagnostic> mistakes;
  const JsonDocument document(keys.dump(), "component", mistakes);
  ReaderScope scope{document, mistakes};
  const JsonReader in(std::make_shared<JsonReader::Source>(scope, keys, ""));
  const std::unique_ptr<SubsystemDefinition> definition = type.parse(in);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  SubsystemBuilder content(std::string(type.name()));
  definition->build(content);
  return content.json();
}

/// A model of the subsystem alone, its mounts on the ground and its signal inputs at zero where they have no default.
Model model_around(const Json& keys, const Json& content, const Registry& registry) {
  Json part = keys;
  if (content.contains("ports"))
    for (const auto& [name, port] : content["ports"].items()) {
      if (port.contains("mount")) part["connect"][name] = "ground";
      if (port.contains("signal") && port["signal"] == "input" && !port.contains("default")) part["connect"][name] = 0;
    }
  const Json model{{"arthron", 1}, {"name", "subsystem under examination"}, {"subsystems", {{"part", part}}}};
  return parse_model(model.dump(), "component", registry);
}

}  // namespace

Examination examine_body(const Registry& registry, const std::string& name, const ExamineOptions& options) {
  Examination examination("body", name);
  const BodyType* type = registry.body(name);
  if (!type) throw InternalError("the body type that is examined is registered");
  RandomKeys random(options.seed);
  const auto draw = [&] {
    const JsonReader reader = JsonReader::describe();
    (void)type->read(reader);
    return random.keys_of(name, reader.description(), 0, 0.5);
  };
  for_draws(examination, draw, [&](const Json& keys) {
    const auto where = [&] { return "with " + keys.dump(); };
    const Body body = body_with(keys, registry), again = body_with(keys, registry);
    examination.note(body_is_repeatable, deviation(numbers_of(body), numbers_of(again)), where);
    Json turned = keys;
    turned["frame"] = {{"at", {0.3, -0.2, 0.5}}, {"rotation", {{"axis", {1, 2, -1}}, {"angle", 0.7}}}};
    const Body moved = body_with(turned, registry);
    Body expected = body;
    expected.com = moved.frame * body.com, expected.inertia = rotated(moved.frame.R, body.inertia);
    examination.note(body_moves_with_frame, deviation(numbers_of(expected), numbers_of(moved)), where);
  });
  return examination;
}

Examination examine_subsystem(const Registry& registry, const std::string& name, const ExamineOptions& options) {
  Examination examination("subsystem", name);
  const SubsystemType* type = registry.subsystem(name);
  if (!type) throw InternalError("the subsystem type that is examined is registered");
  RandomKeys random(options.seed);
  for_draws(
      examination, [&] { return random.keys_of(name, type->keys(), 0, 0.5); },
      [&](const Json& keys) {
        const auto where = [&] { return "with " + keys.dump(); };
        const Json content = content_of(*type, keys);
        const Agreement agreement = compare_formulations(model_around(keys, content, registry), options.seed, [](Model model) {
          const std::shared_ptr<Plan> plan = compile(std::make_shared<const Model>(std::move(model)));
          connect_sensors(*plan);
          return plan;
        });
        examination.note(content_is_repeatable, content == content_of(*type, keys) ? 0 : 1, where);
        examination.note(model_starts, agreement.status.ok() ? 0 : std::nan(""), [&] { return "no start is found " + where(); });
        for (const Disagreement& found : agreement.ways)
          examination.note(formulations_agree, found.largest(), [&] { return "by formulation " + found.way.formulation + ' ' + where(); });
      });
  return examination;
}

}  // namespace arthron
