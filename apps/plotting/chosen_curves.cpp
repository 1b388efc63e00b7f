#include "plotting/chosen_curves.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "arthron/component/json_document.hpp"
#include "arthron/core/diagnostic.hpp"

namespace arthron::cli {
namespace {

constexpr std::size_t most_channels = 24;  // of a picture for which none were named

bool asked_for(const std::string& request, const std::string& name) {
  if (name == request) return true;
  return request.find('*') != std::string::npos ? fnmatch(request.c_str(), name.c_str(), 0) == 0 : name.starts_with(request + '.');
}

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) c == '.' ? parts.emplace_back() : parts.back() += c;
  return parts;
}

/// `m/s^2` as print has it.
std::string in_print(std::string unit) {
  for (const auto& [plain, printed] : {std::pair{"^2", "²"}, {"^3", "³"}})
    for (std::size_t at = 0; (at = unit.find(plain)) != std::string::npos;) unit.replace(at, 2, printed);
  return unit == "1" ? "" : unit;
}

std::string with_unit(const std::string& words, const std::string& unit) {
  const std::string printed = in_print(unit);
  if (printed.empty()) return words;
  return words.empty() ? '[' + printed + ']' : words + " [" + printed + ']';
}

/// What all the names speak of: their last word, but for those of components, where it is the same.
std::string shared_quantity(const std::set<std::string>& names) {
  static const std::set<std::string> components = {"w", "x", "y", "z", "rx", "ry", "rz", "kinetic", "potential", "total"};
  std::set<std::string> quantities;
  for (const std::string& name : names) {
    std::vector<std::string> parts = parts_of(name);
    while (parts.size() > 1 && components.contains(parts.back())) parts.pop_back();
    quantities.insert(parts.back());
  }
  return quantities.size() == 1 ? *quantities.begin() : "";
}

class Chooser {
 public:
  Chooser(const std::vector<ResultTable>& tables, const CurveRequest& request) : tables_(tables), request_(request) {
    for (const ResultTable& table : tables) {
      const std::string stem = std::filesystem::path(table.file).stem().string();
      const auto same = [&](const ResultTable& other) { return std::filesystem::path(other.file).stem() == stem; };
      labels_.push_back(std::count_if(tables.begin(), tables.end(), same) > 1 ? table.file : stem);
      const ResultColumn& first = table.columns.front();
      std::vector<bool> inside;
      for (const double value : first.values) inside.push_back(value >= request.from && value <= request.until);
      inside_.push_back(std::move(inside));
      x_.push_back(request.x.empty() ? 0 : column_named(table, request.x, "--x"));
    }
    for (const auto& channels : request.panes) groups_.push_back(matched(channels, "--pane"));
    if (!request.channels.empty() || request.panes.empty()) by_unit();
    check();
  }

  ChosenCurves result() {
    ChosenCurves chosen;
    const ResultColumn& x = tables_.front().columns[x_.front()];
    chosen.x_label = with_unit(x.name, x.unit);
    chosen.left_out = left_out_;
    for (const std::vector<Channel>& group : groups_) chosen.panes.push_back(pane(group));
    return chosen;
  }

 private:
  struct Channel {
    std::size_t table, column;
    bool operator==(const Channel&) const = default;
  };

  const ResultColumn& column(const Channel& channel) const { return tables_[channel.table].columns[channel.column]; }

  std::vector<std::string> names() const {
    std::set<std::string> all;
    for (const ResultTable& table : tables_) {
      for (const ResultColumn& column : table.columns) {
        all.insert(column.name);
        for (std::size_t dot = 0; (dot = column.name.find('.', dot)) != std::string::npos; ++dot) all.insert(column.name.substr(0, dot));
      }
    }
    return {all.begin(), all.end()};
  }

  std::size_t column_named(const ResultTable& table, const std::string& name, const std::string& option) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i].name == name && !table.columns[i].words) return i;
    mistakes_.push_back({"", 0, option, quote_text(name), "a column of numbers of " + table.file, nearest_name(name, names())});
    return 0;
  }

  /// The columns that requests ask for, in their order, each once; of one request those of all tables side by side.
  std::vector<Channel> matched(const std::vector<std::string>& requests, const std::string& option) {
    std::vector<Channel> list;
    for (const std::string& request : requests) {
      bool found = false, words = false;
      for (const std::string& name : matching_names(request)) {
        for (std::size_t table = 0; table < tables_.size(); ++table) {
          for (std::size_t i = 0; i < tables_[table].columns.size(); ++i) {
            const ResultColumn& column = tables_[table].columns[i];
            if (column.name != name) continue;
            words |= column.words;
            if (column.words) continue;
            found = true;
            if (std::find(list.begin(), list.end(), Channel{table, i}) == list.end()) list.push_back({table, i});
          }
        }
      }
      if (found) continue;
      mistakes_.push_back({"", 0, option, quote_text(request) + (words ? ", a column of words" : ""), "a channel of " + files(),
                           words ? "" : nearest_name(request, names())});
    }
    return list;
  }

  /// Names in the order of the first table. What lies along x is meant only by its own name.
  std::vector<std::string> matching_names(const std::string& request) const {
    std::vector<std::string> list;
    for (std::size_t table = 0; table < tables_.size(); ++table) {
      for (std::size_t i = 0; i < tables_[table].columns.size(); ++i) {
        const std::string& name = tables_[table].columns[i].name;
        const bool along_x = i == 0 || i == x_[table];
        if ((name == request || (!along_x && asked_for(request, name))) && std::find(list.begin(), list.end(), name) == list.end())
          list.push_back(name);
      }
    }
    return list;
  }

  std::string files() const {
    std::string text;
    for (const ResultTable& table : tables_) text += (text.empty() ? "" : " or ") + table.file;
    return text;
  }

  void by_unit() {
    std::vector<Channel> list = matched(request_.channels, "CHANNEL");
    if (request_.channels.empty()) list = all_channels();
    std::vector<std::string> units;
    std::vector<std::vector<Channel>> panes;
    for (const Channel& channel : list) {
      const std::string& unit = column(channel).unit;
      const auto known = std::find(units.begin(), units.end(), unit);
      const std::size_t pane = known - units.begin();
      if (known == units.end()) units.push_back(unit), panes.emplace_back();
      panes[pane].push_back(channel);
    }
    groups_.insert(groups_.end(), panes.begin(), panes.end());
  }

  std::vector<Channel> all_channels() {
    std::vector<std::string> numbers;
    for (std::size_t i = 1; i < tables_.front().columns.size(); ++i)
      if (!tables_.front().columns[i].words && i != x_.front()) numbers.push_back(tables_.front().columns[i].name);
    if (numbers.size() > most_channels) left_out_ = numbers.size() - most_channels, numbers.resize(most_channels);
    return matched(numbers, "CHANNEL");
  }

  void check() {
    std::vector<bool> used(tables_.size());
    bool any = false;
    for (const auto& group : groups_)
      for (const Channel& channel : group) used[channel.table] = any = true;
    for (std::size_t i = 0; mistakes_.empty() && any && i < used.size(); ++i) {
      if (!used[i])
        mistakes_.push_back({"", 0, i == 0 ? "RESULT" : "--with", quote_text(tables_[i].file), "a table with one of the channels", ""});
      if (std::find(inside_[i].begin(), inside_[i].end(), true) == inside_[i].end())
        mistakes_.push_back({"", 0, "--from, --until", "no row of " + tables_[i].file + " between them", "a window with rows", ""});
    }
    if (mistakes_.empty() && !any)
      mistakes_.push_back({tables_.front().file, 0, "", "no channel besides the first column", "something to draw", ""});
    if (!mistakes_.empty()) throw ModelError(std::move(mistakes_));
  }

  std::vector<double> rows(std::size_t table, std::size_t column) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < inside_[table].size(); ++i)
      if (inside_[table][i]) values.push_back(tables_[table].columns[column].values[i]);
    return values;
  }

  CurvePane pane(const std::vector<Channel>& group) const {
    CurvePane pane;
    std::set<std::string> names, units;
    std::map<std::string, int> numbers;
    for (const Channel& channel : group) {
      const ResultColumn& chosen = column(channel);
      names.insert(chosen.name), units.insert(chosen.unit);
      const int number = numbers.emplace(chosen.name, static_cast<int>(numbers.size())).first->second;
      pane.curves.push_back({chosen.name + (tables_.size() > 1 ? " (" + labels_[channel.table] + ')' : ""), chosen.unit,
                             rows(channel.table, x_[channel.table]), rows(channel.table, channel.column), number,
                             static_cast<int>(channel.table)});
    }
    if (units.size() == 1) {
      pane.label = with_unit(shared_quantity(names), *units.begin());
      pane.unit = in_print(*units.begin());
    } else {
      for (Curve& curve : pane.curves) curve.name = with_unit(curve.name, curve.unit);
    }
    return pane;
  }

  const std::vector<ResultTable>& tables_;
  const CurveRequest& request_;
  std::vector<std::string> labels_;        // of tables, in legends
  std::vector<std::vector<bool>> inside_;  // rows of tables that are drawn
  std::vector<std::size_t> x_;
  std::vector<std::vector<Channel>> groups_;
  std::size_t left_out_ = 0;
  std::vector<Diagnostic> mistakes_;
};

}  // namespace

ChosenCurves choose_curves(const std::vector<ResultTable>& tables, const CurveRequest& request) {
  return Chooser(tables, request).result();
}

}  // namespace arthron::cli
