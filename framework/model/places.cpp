#include <map>

#include "arthron/model/dependency_order.hpp"
#include "arthron/model/loading.hpp"

namespace arthron {

namespace {

using std::size_t;

Pose<double> read_frame(const JsonReader& in, const Loading& loading) {
  const Pose<double> X_FI = frame_asked_for(in, loading);
  const Vec3 at = in.in_frame(X_FI).point({"at", "m", "origin of the frame"});
  return {X_FI.R * read_turn(in), at};
}

Vec3 read_point(const JsonReader& in, const Loading& loading) {
  return in.in_frame(frame_asked_for(in, loading)).point({"at", "m", "coordinates in that frame"});
}

/// Points first, then frames: one numbering for both, since each may refer to the other.
class PlaceReading {
 public:
  PlaceReading(const JsonReader& points, const std::vector<Entry>& framed, Loading& loading)
      : points_(points), point_names_(points.names()), loading_(loading) {
    for (const Entry& entry : framed)
      if (entry.reader.has("frame")) framed_.push_back(entry);
  }

  void run() {
    announce();
    const DependencyOrder order = dependency_order(needs());
    for (const std::vector<int>& cycle : order.cycles) report_cycle(cycle);
    for (const int i : order.order) {
      if (is_point(i))
        read_named_point(point_names_[i]);
      else
        read_body_frame(framed(i));
    }
  }

 private:
  /// Places are numbered points first, then the frames of bodies.
  [[nodiscard]] bool is_point(int place) const { return place < std::ssize(point_names_); }
  [[nodiscard]] const Entry& framed(int place) const { return framed_[place - std::ssize(point_names_)]; }

  /// All names are known from here on, so that a mistake in one is no mistake in those that use it.
  void announce() {
    for (size_t i = 0; i < point_names_.size(); ++i) {
      places_["point " + point_names_[i]] = static_cast<int>(i);
      loading_.scope.points[point_names_[i]] = std::nullopt;
      points_.source().know(point_names_[i]);
      if (!is_name(point_names_[i])) points_.source().report(point_names_[i], quote_text(point_names_[i]), name_words);
    }
    for (size_t i = 0; i < framed_.size(); ++i) {
      places_["frame " + framed_[i].name] = static_cast<int>(point_names_.size() + i);
      frame_of(framed_[i].name) = Pose<double>();
      framed_[i].reader.source().know("frame");
    }
  }

  Pose<double>& frame_of(const std::string& name) { return loading_.frames[loading_.scope.bodies.at(name).value]; }

  [[nodiscard]] std::vector<std::vector<int>> needs() const {
    std::vector<std::vector<int>> needs;
    for (const std::string& name : point_names_) needs.push_back(needs_of(points_.source().find(name)));
    for (const Entry& entry : framed_) needs.push_back(needs_of(entry.reader.source().find("frame")));
    return needs;
  }

  [[nodiscard]] std::vector<int> needs_of(const Json* definition) const {
    std::vector<int> needs;
    if (!definition->is_object()) return needs;
    const auto need = [&](const char* key, const std::string& kind) {
      if (!definition->contains(key) || !(*definition)[key].is_string()) return;
      const auto found = places_.find(kind + (*definition)[key].get<std::string>());
      if (found != places_.end()) needs.push_back(found->second);
    };
    need("in", "frame ");
    need("at", "point ");
    return needs;
  }

  void read_named_point(const std::string& name) {
    std::optional<Vec3>& point = loading_.scope.points[name];
    if (!points_.holds_object(name)) {
      point = points_.source().vector(*points_.source().find(name), name, "", "[x, y, z] in m, or {\"in\": body, \"at\": [x, y, z]}", "m");
    } else {
      const JsonReader in = points_.object({name});
      const Vec3 at = read_point(in, loading_);
      if (!in.failed()) point = at;
    }
  }

  void read_body_frame(const Entry& entry) { frame_of(entry.name) = read_frame(entry.reader.object({"frame"}), loading_); }

  void report_cycle(const std::vector<int>& cycle) {
    const auto name = [&](int i) { return is_point(i) ? "point " + point_names_[i] : "frame of " + framed(i).name; };
    std::string chain;
    for (const int i : cycle) chain += name(i) + " -> ";
    chain += name(cycle.front());
    const int first = cycle.front();
    constexpr auto expected = "places that do not depend on themselves";
    if (is_point(first))
      points_.source().report(point_names_[first], chain, expected);
    else
      framed(first).reader.source().report("frame", chain, expected);
  }

  const JsonReader& points_;
  std::vector<std::string> point_names_;
  std::vector<Entry> framed_;
  Loading& loading_;
  std::map<std::string, int> places_;
};

}  // namespace

Mat3 read_turn(const JsonReader& in) {
  const JsonReader rotation = in.object({"rotation", "", "turn of the axes; none when absent"});
  const Vec3 axis = rotation.unit_vector({"axis", "", "axis of the turn"});
  const double angle = rotation.number({"angle", "rad", "angle of the turn, right-handed; \"=30*deg\" is 30 degrees"});
  return in.has("rotation") && !rotation.failed() ? axis_rotation(axis, angle) : Mat3::identity();
}

void read_places(const JsonReader& points, const std::vector<Entry>& framed, Loading& loading) {
  if (points.describing()) {
    points.vector({"*", "m", "[x, y, z] of a point"});
    read_point(points.object({"*", "", "a point in the frame of a body"}), loading);
    for (const Entry& entry : framed)
      read_frame(entry.reader.object({"frame", "", "own frame, in which the geometry here is written"}), loading);
  } else {
    PlaceReading(points, framed, loading).run();
  }
}

}  // namespace arthron
