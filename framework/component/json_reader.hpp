#pragma once
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arthron/component/road.hpp"
#include "arthron/component/time_function.hpp"
#include "arthron/core/index.hpp"
#include "arthron/spatial/pose.hpp"

namespace arthron {

/// Allowed interval of a number, both ends included unless `open_low`.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool open_low = false;
  static constexpr Range any() { return {}; }
  static constexpr Range positive() { return {0, std::numeric_limits<double>::infinity(), true}; }
  static constexpr Range non_negative() { return {0}; }
};

/// A key as the user meets it. `unit` is its text ("N/m", "" for none), `help` one line for `arthron types` and the schema.
struct Key {
  std::string_view name, unit = "", help = "";
};

/// A point of a body (or ground) at the design position, in the file's own frame.
struct Handle {
  BodyIndex body;
  Vec3 point;
  int port = -1;  // the Model's port by which the file names the body; -1: by the body's own name
};

/// What a reader found out about a key by being asked for it: the source of `arthron types` and of the schema.
struct KeyDescription {
  enum class Kind {
    number,
    integer,
    vector,
    direction,
    point,
    handle,
    handles,  // a list of them
    body,
    text,
    choice,
    flag,
    time_function,
    table,
    inertia,
    object,
    numbers,         // a list of `count`, or one for all
    coordinates,     // a list of `count`, or one when count is 1
    time_functions,  // the same of time functions
    list,            // of numbers, as many as wanted
    texts,
    expression,  // a number or an expression of the names in `choices`
    points,      // a list
    vectors,     // a list
    port,        // output of a subsystem, subsystem.port
    subsystem,   // name of a file or a definition
    connection,  // body or output, or a time function or signal
    signal,      // a time function or a signal output
  };
  std::string name, unit, help;
  Kind kind = Kind::number;
  bool required = true;
  std::string fallback;  // printed default; empty when required or when there is none
  Range range;
  int count = 0;                     // of numbers, coordinates and time functions
  std::vector<std::string> choices;  // kind choice, words instead of an integer, and names in an expression
  std::vector<KeyDescription> keys;  // kind object; a key "*" stands for names of the user's choice, "*.*" for paths; a key given twice may
                                     // be either
};

/// Typed access to one JSON object of a model file, given to a component's parse().
///
/// Every question both reads the value and declares the key, so the accepted keys, the errors, the printed reference and the JSON
/// Schema all come from parse() itself. A mistake is recorded with its file, line and pointer and a harmless value is returned, so that one
/// pass finds all mistakes of a file. Numbers may be expressions ("=track/2"). In describe mode there is no JSON: every question
/// returns a harmless value, so parse() must ask its questions unconditionally (or under has()).
class JsonReader {
 public:
  class Source;  // the JSON value, its pointer and the scope of names around it; made by the model loader or in describe mode
  explicit JsonReader(std::shared_ptr<Source> source);

  /// True when the key is present (always true in describe mode).
  [[nodiscard]] bool has(std::string_view key) const;
  /// True when the key holds an object (always true in describe mode).
  [[nodiscard]] bool holds_object(std::string_view key) const;
  /// All keys of this object in the order of the file, for maps from names to definitions ("*" in describe mode).
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool describing() const;

  double number(const Key& key, Range range = Range::any()) const;
  double number_or(const Key& key, double fallback, Range range = Range::any()) const;
  /// Nothing when the key is absent.
  std::optional<double> number_or_none(const Key& key, Range range = Range::any()) const;
  double length(const Key& key) const { return number({key.name, "m", key.help}); }
  int integer(const Key& key, int low, int high) const;
  int integer_or(const Key& key, int fallback, int low, int high) const;
  /// A whole number, or "auto", which is also the default.
  std::optional<int> integer_or_auto(const Key& key, int low, int high) const;
  bool flag(const Key& key) const;
  bool flag_or(const Key& key, bool fallback) const;
  std::string text(const Key& key) const;
  std::string text_or(const Key& key, std::string fallback) const;
  /// One of the words given; the first is the default.
  std::string choice(const Key& key, std::initializer_list<std::string_view> words) const;
  std::string choice(const Key& key, std::span<const std::string> words) const;
  /// One of the words given, required. Empty when the mistake has been reported. `what` names the kind of word in the message.
  std::string one_of(const Key& key, const std::vector<std::string>& words, const std::string& what) const;
  /// A list of texts; empty when absent.
  std::vector<std::string> texts(const Key& key) const;

  /// [x, y, z] in the file's frame.
  Vec3 vector(const Key& key) const;
  Vec3 vector_or(const Key& key, const Vec3& fallback) const;
  /// Direction: [x, y, z] of any length > 0, or ["from point", "to point"] by names of points. Returned with unit length.
  Vec3 unit_vector(const Key& key) const;
  Vec3 unit_vector_or(const Key& key, const Vec3& fallback) const;
  /// [x, y, z] or the name of a point.
  Vec3 point(const Key& key) const;
  Vec3 point_or(const Key& key, const Vec3& fallback) const;
  /// A point as seen from the place the reader was told (`at_place`), in the axes of the frame.
  Vec3 offset(const Key& key) const;
  /// Two points or more, seen likewise. Empty when the mistake has been reported.
  std::vector<Vec3> offsets(const Key& key) const;
  /// [[x, y, z], ...], as many as there are. Empty when the key is absent.
  std::vector<Vec3> vectors(const Key& key) const;
  /// ["body", "point" or [x, y, z]]; a force acts through the handles it asks for, in the order of asking.
  Handle handle(const Key& key) const;
  /// [["body", point], ...], at least one: as many handles, in the order of the list. In describe mode a single one.
  std::vector<Handle> handle_list(const Key& key) const;
  /// Name of a body, ground or mount. Not valid() when the mistake has been reported.
  BodyIndex body(const Key& key) const;
  BodyIndex body_or(const Key& key, BodyIndex fallback) const;
  /// [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], tensor components.
  Sym3 inertia(const Key& key) const;

  /// Number, "=expression of t", or {"table": [[t, value], ...], "interpolation": "smooth" | "linear"} (smooth is the default).
  TimeFunction time_function(const Key& key) const;
  TimeFunction time_function_or(const Key& key, double fallback) const;
  /// One time function per component: a list of exactly `count`, or a single one when count is 1. Empty when the key is absent.
  std::vector<TimeFunction> time_functions(const Key& key, int count) const;
  /// A list of exactly `count` numbers, or a single one used for all. Empty when the key is absent.
  std::vector<double> numbers(const Key& key, int count, Range range = Range::any(), bool required = false) const;
  /// One number per component: a list of exactly `count`, or a single one when count is 1. Empty when the key is absent.
  std::vector<double> coordinates(const Key& key, int count) const;
  /// Numbers, as many as there are, or a single one. Empty when the key is absent.
  std::vector<double> list(const Key& key) const;
  /// [[x, y], ...] with x increasing, or {"table": [...], "interpolation": "linear" | "smooth"} (linear is the default). Empty when absent.
  Table table_or_empty(const Key& key) const;

  /// A number or "=expression of the variables", finite where all of them are zero.
  Expression expression_or(const Key& key, const std::vector<std::string>& variables, double fallback) const;
  /// Height of the ground: a number or "=expression of x, y and t".
  Road surface_or(const Key& key, double fallback) const;
  /// The road of the whole model, for forces that touch it.
  [[nodiscard]] std::shared_ptr<const Road> road() const;

  /// Reader of a nested object; has() tells whether it is there. An absent object reads as one with no keys and complains of nothing.
  JsonReader object(const Key& key) const;

  /// Reader of the same object whose lists of coordinates are written in the frame X (given in the file's frame): points are returned
  /// in the file's frame, vectors and directions in the axes of X.
  [[nodiscard]] JsonReader in_frame(const Pose<double>& X) const;
  /// The same, but points are returned in X too: for components that live in X alone.
  [[nodiscard]] JsonReader within_frame(const Pose<double>& X) const;
  /// Reader of the same object, whose component sits at the given point of the file's frame.
  [[nodiscard]] JsonReader at_place(const Vec3& place) const;

  /// Reports a mistake of this object's own kind, e.g. two keys that contradict each other. Silent when a value of this object was
  /// refused already, for then the mistake may be in a stand-in.
  void complain(std::string_view key, std::string found, std::string expected) const;
  /// Reports the key if it is present: it is no key of this object, and `expected` says why.
  void refuse(std::string_view key, std::string expected) const;
  /// Reports the keys nobody asked for and the required keys that are missing, here and in the nested objects. Ask everything before.
  void reject_unknown_keys() const;
  /// True when some value of this object was refused.
  [[nodiscard]] bool failed() const;
  /// The same for this object or one nested in it.
  [[nodiscard]] bool failed_within() const;
  /// The object itself, for the loader.
  [[nodiscard]] Source& source() const { return *source_; }

  /// Handles asked for so far, in order.
  [[nodiscard]] const std::vector<Handle>& handles() const;
  /// Keys asked for so far (in describe mode).
  [[nodiscard]] std::vector<KeyDescription> description() const;

  static JsonReader describe();

 private:
  /// A point of the file's frame as it is returned.
  [[nodiscard]] Vec3 seen(const Vec3& point) const;

  std::shared_ptr<Source> source_;
  Pose<double> frame_;
  bool within_frame_ = false;  // points are returned in frame_
  Vec3 place_;
};

}  // namespace arthron
