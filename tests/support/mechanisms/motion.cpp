#include "support/mechanisms/motion.hpp"

#include "arthron/model/load.hpp"
#include "support/loaded.hpp"

namespace arthron::test {

std::vector<double> Motion::values(std::size_t row, const std::string& channel) const {
  std::vector<std::size_t>& group = groups_[channel];
  if (group.empty()) {
    for (const auto& [name, column] : columns)
      if (name == channel || name.starts_with(channel + ".")) group.push_back(column);
    std::sort(group.begin(), group.end());
  }
  std::vector<double> values;
  for (const std::size_t column : group) values.push_back(rows[row][column]);
  return values;
}

Vector Motion::vector(std::size_t row, const std::string& channel) const {
  const std::vector<double> v = values(row, channel);
  return {v.at(0), v.at(1), v.at(2)};
}

BodyRow Motion::body(std::size_t row, const std::string& path, bool accelerations) const {
  const std::vector<double> q = values(row, path + ".orientation");
  BodyRow body{vector(row, path + ".position"), vector(row, path + ".velocity"), vector(row, path + ".angular_velocity"), {}, {}, {}};
  body.R = Eigen::Quaterniond(q.at(0), q.at(1), q.at(2), q.at(3)).toRotationMatrix();
  if (accelerations) body.a = vector(row, path + ".acceleration"), body.alpha = vector(row, path + ".angular_acceleration");
  return body;
}

Json with_settings(Json model, const How& how) {
  if (!model.contains("simulate")) model["simulate"] = Json::object();
  model["simulate"].merge_patch(how.simulate);
  if (!how.channels.empty()) model["simulate"]["output"]["channels"] = how.channels;
  return model;
}

Motion move(const Registry& types, const Json& model, const How& how) {
  Motion motion;
  try {
    Model built = build_model(with_settings(model, how), "random", types);
    for (const Joint& joint : built.joints) {
      const Vec3 place = joint.child_frame().p;
      motion.reaction_places[joint.path] = {place.x, place.y, place.z};
    }
    std::vector<ChannelRequest> requests;
    for (const std::string& channel : how.channels) requests.push_back({channel, "", ""});
    Simulation simulation(std::make_shared<const Model>(std::move(built)), how.max_steps, how.fine_grain ? fine_grain : Grain{});
    ChannelSet channels(simulation.plan(), requests);
    for (std::size_t i = 0; i < channels.columns().size(); ++i) motion.columns[channels.columns()[i].name] = i;
    if (how.examine_loops) {
      if (const Status status = simulation.start(); !status.ok())
        return motion.failure = describe(status, simulation.plan(), simulation.workspace(), 0), motion;
      motion.loops = examine_loops(simulation);
    }
    RunObserver observer;
    observer.row = [&](double t, std::span<const double> row) {
      motion.times.push_back(t);
      motion.rows.emplace_back(row.begin(), row.end());
    };
    motion.summary = run(simulation, channels, observer);
    if (!motion.summary.status.ok()) motion.failure = motion.summary.message;
    for (const std::vector<double>& row : motion.rows)
      for (const double value : row)
        if (!std::isfinite(value)) motion.failure = "a result is not finite";
  } catch (const std::exception& error) {
    motion.failure = error.what();
  }
  return motion;
}

}  // namespace arthron::test
