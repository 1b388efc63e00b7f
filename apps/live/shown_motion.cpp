#include "live/shown_motion.hpp"

#include "arthron/scene/scene.hpp"
#include "page_channels.hpp"

namespace arthron::cli {
namespace {

constexpr double most_columns = 2000;  // of a frame whose channels nobody chose

}  // namespace

ShownMotion::ShownMotion(const RunOptions& options)
    : simulation_(std::make_shared<const Model>(options.load()), options.max_steps()),
      rows_(simulation_.plan(), options.channel_requests(simulation_.model())),
      shown_(page_channels(options, simulation_.plan(), most_columns)),
      values_(shown_.columns().size()) {}

Status ShownMotion::begin(const RunObserver& observer, const RunRecord& earlier, const Status& state) {
  runner_.emplace(simulation_, rows_, observer, earlier);
  return state.ok() ? runner_->begin() : state;
}

Status ShownMotion::advance_to(double t, const std::function<bool()>& proceed) {
  Status status;
  while (status.ok() && !ended() && runner_->next_row() <= t) {
    status = simulation_.advance_to(runner_->next_row(), proceed);
    if (status.ok()) status = runner_->row();
  }
  if (status.ok() && !ended() && t > simulation_.state().t && !simulation_.steps_end_where_told())
    status = simulation_.advance_to(t, proceed);
  return status;
}

RunSummary ShownMotion::summary(const Status& status, const IntegratorStatistics& before) {
  IntegratorStatistics all = simulation_.statistics();
  all.evaluations += before.evaluations, all.accepted += before.accepted, all.rejected += before.rejected;
  return runner_->summary(status, all);
}

bool ShownMotion::observe() {
  return simulation_.observe(true).ok() && simulation_
                                               .guard([&] {
                                                 shown_.read(simulation_.plan(), simulation_.workspace(), values_);
                                                 read_frame(simulation_, values_, frame_);
                                                 return Status{};
                                               })
                                               .ok();
}

std::string ShownMotion::frame() { return observe() ? frame_bytes(frame_) : ""; }

nlohmann::ordered_json ShownMotion::scene() {
  (void)observe();
  nlohmann::ordered_json scene = scene_json(simulation_, shown_.columns());
  const auto block = [](const char* name, const char* type, std::size_t columns) {
    return nlohmann::ordered_json{{"name", name}, {"type", type}, {"columns", columns}};
  };
  scene["frames"] = {{"count", 0},
                     {"blocks",
                      {block("time", "f8", 1), block("poses", "f4", frame_.poses.size()), block("loads", "f4", frame_.loads.size()),
                       block("channels", "f8", frame_.channels.size())}}};
  return scene;
}

}  // namespace arthron::cli
