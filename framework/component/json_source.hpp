#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "arthron/component/json_document.hpp"
#include "arthron/component/json_reader.hpp"
#include "arthron/component/units.hpp"
#include "arthron/component/vector_expression.hpp"

namespace arthron {

/// Why a name is no body to attach to, and the port that may be meant.
struct OutOfReach {
  std::string what, port;
};

/// What the text of one file may refer to, and where its mistakes are collected. The loader fills it before readers ask for the names.
struct ReaderScope {
  const JsonDocument& document;
  std::vector<Diagnostic>& diagnostics;
  std::map<std::string, double> parameters{};           // NaN: the name is known, its mistake has been reported
  std::map<std::string, std::optional<Vec3>> points{};  // file's frame; empty: the name is known, its mistake has been reported
  std::unordered_map<std::string, BodyIndex> bodies{};  // bodies, grounds, mounts and, as subsystem.port, outputs of subsystems
  std::unordered_map<std::string, int> ports{};         // of these, mounts and outputs -> Model::ports
  std::map<std::string, Vec3> directions{};             // that outputs of subsystems offer, file's frame
  std::map<std::string, TimeFunction> signals{};        // what functions of time may use besides t
  std::map<std::string, OutOfReach> out_of_reach{};     // names in subsystems that no one outside may use
  std::set<std::string> broken{};                       // subsystems whose mistakes have been reported: what they offer is not known
  std::set<std::string> used_ports{};                   // outputs of subsystems somebody asked for
  std::shared_ptr<const Road> road = std::make_shared<const Road>();  // as seen from the file's frame
  std::string instance{};                                             // path of the subsystem, "" of the model itself
  std::string built_at{};                                             // " (place of the use)" of what a subsystem type built
  bool signals_used = false, road_used = false;                       // since somebody said false
  NamedVectors vectors{};                                             // parameters that are vectors, as `parameters` are numbers
  std::vector<Unit> units{};                                          // of bare numbers, one for a dimension; SI for all others
};

/// One JSON object behind a JsonReader, together with what was asked of it. Three modes: reading an object, reading an object that is
/// absent (says nothing), and describing (no JSON: notes the questions).
class JsonReader::Source {
 public:
  enum class Mode { reading, absent, describing };
  /// The largest number a model may hold: squares and products of a few stay finite.
  static constexpr double largest = 1e20;

  Source(ReaderScope& scope, const Json& object, std::string pointer);
  static std::shared_ptr<Source> absent();
  static std::shared_ptr<Source> describing();

  [[nodiscard]] Mode mode() const { return mode_; }
  [[nodiscard]] const Json& object() const { return *object_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }
  [[nodiscard]] int line() const { return scope_->document.line(pointer_); }
  [[nodiscard]] const std::string& file() const { return scope_->document.file(); }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool failed_within() const;
  [[nodiscard]] std::shared_ptr<const Road> road() const;

  /// nullptr when the key is not there; does not count as asking for it.
  [[nodiscard]] const Json* find(std::string_view key) const;
  /// The value to read, or nullptr when a stand-in must do: absent, missing (noted when required), or describing.
  const Json* ask(KeyDescription::Kind kind, const Key& key, bool required, KeyDescription details = {});
  std::shared_ptr<Source> child(const Key& key);
  /// Lets `value` stand for what the object says at `key`, which outlives this; nullptr takes it away again.
  void replace(std::string_view key, const Json* value);
  void know(std::string_view key) { known_.emplace(key); }
  void reject_unknown_keys();
  [[nodiscard]] std::vector<KeyDescription> description() const;

  /// Reports a mistake in the value of `key`, at `inside` it ("/0/1").
  void report(std::string_view key, std::string found, std::string expected, std::string suggestion = "", const std::string& inside = "");

  /// A number as it was given: in SI where an expression or a unit says so, else as it stands.
  struct Quantity {
    double value = 0;
    bool bare = false;                   // a number of the file, and nothing else
    std::optional<Dimension> dimension;  // of one with a unit
  };

  // Values at a place below a key. Empty when a mistake has been reported. In SI: numbers may have a unit of the dimension that `unit` has,
  // bare ones are in the file's units.
  std::optional<Quantity> quantity(const Json& value, std::string_view key, const std::string& inside, const std::string& expected);
  std::optional<double> number(const Json& value, std::string_view key, const std::string& inside, const std::string& expected,
                               std::string_view unit);
  /// The quantity where a number in `unit` is wanted.
  std::optional<double> in_unit(const Quantity& given, const Json& value, std::string_view key, const std::string& inside,
                                const std::string& expected, std::string_view unit);
  /// What a bare number in the file is in SI.
  [[nodiscard]] double in_si(double bare, std::string_view unit) const;
  std::optional<Vec3> vector(const Json& value, std::string_view key, const std::string& inside, const std::string& expected,
                             std::string_view unit);
  /// What an expression yields: one number or three.
  std::optional<std::vector<double>> evaluated(const Json& value, std::string_view key, const std::string& inside,
                                               const std::string& expected);
  std::optional<Vec3> point(const Json& value, std::string_view key, const std::string& inside, const Pose<double>& frame);
  std::optional<TimeFunction> time_function(const Json& value, std::string_view key, const std::string& inside, const std::string& unit);
  /// True for an expression of time that yields a vector.
  [[nodiscard]] bool yields_vector(const Json& value) const;
  /// A list of points, or an object with one and its interpolation. `units` are those of both columns, "m, N".
  std::optional<Table> curve(const Json& value, std::string_view key, const std::string& inside, Table::Interpolation interpolation,
                             std::string_view units);
  std::optional<Expression> expression(const Json& value, std::string_view key, const std::string& unit,
                                       const std::vector<std::string>& variables);
  std::optional<BodyIndex> body(const Json& value, std::string_view key, const std::string& inside);
  /// The Model's port that a body is named by; -1 when it has a name of its own.
  [[nodiscard]] int port(const Json* value) const;
  /// Direction that an output of a subsystem offers.
  std::optional<Vec3> port_direction(const Json& value, std::string_view key, const std::string& expected);
  [[nodiscard]] ReaderScope& scope() const { return *scope_; }

  std::shared_ptr<std::vector<Handle>> handles = std::make_shared<std::vector<Handle>>();  // shared with the nested objects
  std::vector<KeyDescription> asked;                                                       // when describing

 private:
  explicit Source(Mode mode) : mode_(mode) {}
  std::optional<Table> table(const Json& value, std::string_view key, const std::string& inside, Table::Interpolation interpolation,
                             std::string_view units);
  std::optional<VectorExpression> parsed(const Json& value, std::string_view key, const std::string& inside, const std::string& expected,
                                         const std::vector<std::string>& variables);
  std::optional<Expression> parsed_number(const Json& value, std::string_view key, const std::string& inside, const std::string& expected,
                                          const std::vector<std::string>& variables);
  /// What functions of time may use: t, and the signals.
  [[nodiscard]] std::vector<std::string> time_variables() const;
  /// The value of one component of an expression; reported when it is not finite.
  std::optional<double> finite(const Expression& component, const Json& value, std::string_view key, const std::string& inside,
                               const std::string& expected);
  /// A function of t and of the signals it uses, or nothing when these are too many.
  [[nodiscard]] std::optional<TimeFunction> with_signals(const Json& value, const Expression& parsed,
                                                         const std::vector<std::string>& variables) const;
  /// " (a = 1, b = 2)", the parameters an expression uses.
  [[nodiscard]] std::string values_used(const Json& expression) const;
  [[nodiscard]] bool depends_on_refused(const Json& expression) const;
  [[nodiscard]] bool is_in_broken_subsystem(const std::string& name);

  Mode mode_;
  ReaderScope* scope_ = nullptr;
  const Json* object_ = nullptr;
  std::string pointer_;
  bool failed_ = false;
  std::unordered_map<std::string_view, const Json*> members_, replaced_;
  std::unordered_set<std::string> known_;
  std::vector<std::pair<std::string, std::string>> missing_;               // key, what was expected
  std::vector<std::pair<std::size_t, std::shared_ptr<Source>>> children_;  // with their places in `asked` when describing
};

/// True for "=...", an expression.
[[nodiscard]] bool is_expression(const Json& value);
/// "a number in kg, > 0"
[[nodiscard]] std::string number_words(std::string_view unit, const Range& range);
[[nodiscard]] bool contains(const Range& range, double value);
/// Shortest text that reads back as the same number.
[[nodiscard]] std::string number_text(double value);
/// "/3", an item of a list.
[[nodiscard]] inline std::string item_pointer(std::size_t index) { return "/" + std::to_string(index); }

}  // namespace arthron
