#include "live/live_run.hpp"

#include <cmath>
#include <map>
#include <ostream>

#include "arthron/component/author_code.hpp"
#include "arthron/component/json_document.hpp"
#include "arthron/simulation/shortest_text.hpp"
#include "live/live_message.hpp"
#include "live/live_server.hpp"
#include "live/shown_motion.hpp"
#include "pages/pages.hpp"

namespace arthron::cli {
namespace {

using Json = nlohmann::ordered_json;
using Instant = std::chrono::steady_clock::time_point;
using Seconds = std::chrono::duration<double>;

constexpr double frame_interval = 1.0 / 60, status_interval = 0.2;  // [s] of wall time
constexpr auto glance = std::chrono::milliseconds(50);              // at Ctrl-C while nothing moves

Instant now() { return std::chrono::steady_clock::now(); }
double seconds_since(Instant then) { return Seconds(now() - then).count(); }

/// How far the clock on the wall lets the simulation go.
class Pace {
 public:
  [[nodiscard]] double speed() const { return speed_; }
  void set_speed(double speed, double t) { speed_ = speed, anchor(t); }
  /// From now on time runs from t.
  void anchor(double t) { t_ = t, wall_ = now(); }

  /// The time to go to from t: the one due, but no further than about a frame's time of work takes it.
  [[nodiscard]] double target(double t) {
    const double due = std::isinf(speed_) ? speed_ : t_ + speed_ * seconds_since(wall_);
    constexpr double most_debt = 0.1;  // [s]; a model that cannot keep up does not race after what it has lost
    if (due - t > most_debt * speed_) t_ = t + most_debt * speed_, wall_ = now();
    limited_ = t + portion_ < due;
    return std::min(due, t + portion_);
  }
  /// Learns what a frame's time of work does.
  void worked(double simulated, double wall) {
    if (wall > frame_interval && simulated > 0) portion_ = std::min(portion_, simulated) / 2;
    if (wall < frame_interval / 4 && limited_) portion_ *= 2;
  }

 private:
  double speed_ = 1, t_ = 0;
  Instant wall_ = now();
  double portion_ = 1e-3;  // [s]
  bool limited_ = false;
};

std::string on_one_line(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.replace(at, text[at + 1] == ' ' ? 2 : 1, text[at + 1] == ' ' ? "" : ", ");
  return text;
}

std::string text_of(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// What is drawn, without what other numbers of the model or another time change.
Json appearance(Json scene) {
  for (const char* key : {"parameters", "until", "centre", "length", "frames"}) scene.erase(key);
  return scene;
}

class LiveRun {
 public:
  LiveRun(LiveSetup setup, std::ostream& say) : setup_(std::move(setup)), server_(setup_.options.port(), "--port"), say_(say) {
    proceed_ = [this] { return !stopped_ && setup_.observer.proceed(motion_->simulation().state().t); };
    own_ = setup_.observer;
    own_.checkpoint = [this](Checkpoint checkpoint) {
      if (taking_over_) {
        taken_ = std::move(checkpoint);
      } else if (setup_.observer.checkpoint) {
        setup_.observer.checkpoint(std::move(checkpoint));
      }
    };
  }

  RunSummary run() {
    begin(false);
    if (over_ && summary_.rows == 0) return summary_;
    say_ << "live                " << server_.url() << " (Ctrl-C ends)\n" << std::flush;
    while (!stopped_ && setup_.observer.proceed(motion_->simulation().state().t)) {
      const Instant turn = now();
      if (!over_ && !paused_) move();
      if (!over_ && !paused_) {
        show_frame();
        if (seconds_since(told_) > status_interval) tell_status();
      }
      const auto rest = std::chrono::duration_cast<std::chrono::steady_clock::duration>(Seconds(frame_interval) - (now() - turn));
      const bool busy = !over_ && !paused_;
      obey(server_.take_commands(busy ? (std::isinf(pace_.speed()) ? std::chrono::steady_clock::duration{} : rest) : glance));
    }
    if (!over_) finish({Status::Code::interrupted});
    return summary_;
  }

 private:
  /// The motion from its first state on. Until the model is known to be sound, all stays as it is.
  void begin(bool anew) {
    auto motion = std::make_unique<ShownMotion>(setup_.options);
    const Status start = setup_.start(motion->simulation());
    if (anew) setup_.begin_anew();
    motion_ = std::move(motion);
    clock_ = {};
    before_ = {};
    over_ = paused_ = false;
    const Status status = motion_->begin(own_, setup_.earlier, start);
    pace_.anchor(motion_->simulation().state().t);
    server_.forget_frames();
    server_.publish_state("restart", text_of({{"type", "restart"}}));
    if (!status.ok()) return finish(status);
    show_scene();
    show_frame(true);
    tell_status();
  }

  void move() {
    const Instant start = now();
    const double t = motion_->simulation().state().t;
    const Status status = motion_->advance_to(std::min(pace_.target(t), motion_->simulation().settings().until), proceed_);
    pace_.worked(motion_->simulation().state().t - t, seconds_since(start));
    if (!status.ok() || motion_->ended()) finish(status);
  }

  void finish(const Status& status) {
    summary_ = motion_->summary(status, before_);
    summary_.wall = clock_.wall(), summary_.cpu = clock_.cpu();
    over_ = true;
    if (summary_.rows > 0) show_frame(true);
    tell_status();
  }

  void show_frame(bool at_once = false) {
    if (!at_once && seconds_since(shown_) < 0.9 * frame_interval) return;
    shown_ = now();
    if (std::string frame = motion_->frame(); !frame.empty()) server_.publish_frame(std::move(frame));
  }

  /// The page for those who come, and the scene for those who are there, where it is another one.
  void show_scene() {
    Json scene = motion_->scene();
    if (const Json drawn = appearance(scene); drawn != drawn_) {
      if (!drawn_.is_null()) server_.publish_state("scene", text_of({{"type", "scene"}, {"scene", scene}}));
      drawn_ = drawn;
    }
    const std::vector<PageData> data = {json_data("arthron-scene", scene), json_data("arthron-options", {{"live", true}})};
    server_.set_page(view_page().empty() ? "This program was built without its pages; its socket works.\n"
                                         : with_data(view_page(), data, "--live"));
  }

  void tell_status() {
    told_ = now();
    Json parameters = Json::array();
    for (const Parameter& parameter : motion_->simulation().model().parameters)
      if (parameter.tunable()) parameters.push_back({{"path", parameter.path}, {"value", parameter.value}});
    const Json speed = std::isinf(pace_.speed()) ? Json() : Json(pace_.speed());
    server_.publish_state("status", text_of({{"type", "status"},
                                             {"t", motion_->simulation().state().t},
                                             {"until", motion_->simulation().settings().until},
                                             {"paused", paused_},
                                             {"speed", speed},
                                             {"ended", over_},
                                             {"message", over_ && !summary_.status.ok() ? summary_.message : ""},
                                             {"parameters", parameters}}));
  }

  void obey(const std::vector<LiveCommand>& commands) {
    // Of a slider that is pulled only the last place counts.
    std::map<std::string, std::pair<double, std::uint64_t>> values;
    for (const LiveCommand& command : commands) {
      std::string trouble;
      const std::optional<LiveWish> wish = read_wish(command.text, trouble);
      if (!wish) {
        server_.tell(command.client, error_message(trouble));
      } else if (wish->kind == LiveWish::Kind::set) {
        values[wish->parameter] = {wish->value, command.client};
      } else {
        change_values(values);
        obey(*wish, command.client);
      }
    }
    change_values(values);
  }

  void obey(const LiveWish& wish, std::uint64_t client) {
    const double t = motion_->simulation().state().t;
    switch (wish.kind) {
      case LiveWish::Kind::pause: paused_ = true; break;
      case LiveWish::Kind::resume: paused_ = false, pace_.anchor(t); break;
      case LiveWish::Kind::speed: pace_.set_speed(wish.value, t); break;
      case LiveWish::Kind::restart: attempt(client, [&] { begin(true); }); return;
      case LiveWish::Kind::stop: stopped_ = true; break;
      case LiveWish::Kind::set: break;  // gathered
    }
    if (wish.kind == LiveWish::Kind::pause && !over_) show_frame(true);
    tell_status();
  }

  /// What does not work out leaves all as it is and is told the client who wanted it.
  template <class Call>
  bool attempt(std::uint64_t client, const Call& call) {
    try {
      call();
      return true;
    } catch (const ModelError& mistake) {
      server_.tell(client, error_message(on_one_line(mistake.what())));
    } catch (const ComponentError& thrown) {
      server_.tell(client, error_message(on_one_line(thrown.what())));
    }
    return false;
  }

  void change_values(std::map<std::string, std::pair<double, std::uint64_t>>& values) {
    for (const auto& [parameter, change] : std::exchange(values, {})) {
      const RunOptions old = setup_.options;
      if (!attempt(change.second, [&] { change_value(parameter, change.first); })) setup_.options = old;
      tell_status();
    }
  }

  /// Goes on with another value from where the motion is: places and velocities stay, what holds and drives them is new.
  void change_value(const std::string& parameter, double value) {
    std::vector<std::string> tunable;
    for (const Parameter& known : motion_->simulation().model().parameters)
      if (known.tunable()) tunable.push_back(known.path);
    if (std::find(tunable.begin(), tunable.end(), parameter) == tunable.end())
      throw ModelError({{"", 0, "set", quote_text(parameter), "a tunable parameter", nearest_name(parameter, tunable)}});

    std::vector<std::string>& given = setup_.options.model.parameters;
    std::erase_if(given, [&](const std::string& text) { return text.starts_with(parameter + '='); });
    given.push_back(parameter + '=' + shortest_text(value));
    auto next = std::make_unique<ShownMotion>(setup_.options);
    if (next->columns().size() != motion_->columns().size())
      throw ModelError(
          {{"", 0, "set", parameter + " = " + shortest_text(value) + ", with other channels", "a value that leaves them as they are", ""}});

    taking_over_ = true;
    const Status saved = motion_->save();
    taking_over_ = false;
    // Without the method's own memory the state is that of joints, as positions and velocities: momenta would mean others to other masses.
    taken_.step.reset();
    const Resumption resumed = saved.ok() ? next->simulation().resume(taken_) : Resumption{saved};
    Status status = resumed.status;
    if (status.ok()) status = next->begin(own_, *taken_.run, {});
    if (!status.ok())
      throw ModelError({{"", 0, "set",
                         parameter + " = " + shortest_text(value) + ": " +
                             describe(status, next->simulation().plan(), next->simulation().workspace(), taken_.t),
                         "a value with which the motion can go on", ""}});
    const IntegratorStatistics& done = motion_->simulation().statistics();
    before_.evaluations += done.evaluations, before_.accepted += done.accepted, before_.rejected += done.rejected;
    motion_ = std::move(next);
    pace_.anchor(motion_->simulation().state().t);
    show_scene();
    show_frame(true);
  }

  LiveSetup setup_;
  LiveServer server_;
  std::ostream& say_;
  RunObserver own_;
  std::function<bool()> proceed_;
  std::unique_ptr<ShownMotion> motion_;
  IntegratorStatistics before_;
  Pace pace_;
  Clock clock_;
  Checkpoint taken_;
  Json drawn_;
  Instant shown_{}, told_{};
  RunSummary summary_;
  bool paused_ = false, over_ = false, stopped_ = false, taking_over_ = false;
};

}  // namespace

RunSummary run_live(LiveSetup setup, std::ostream& say) { return LiveRun(std::move(setup), say).run(); }

}  // namespace arthron::cli
