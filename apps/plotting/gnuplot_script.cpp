#include "plotting/gnuplot_script.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "arthron/simulation/shortest_text.hpp"
#include "plotting/axis.hpp"
#include "plotting/thinning.hpp"

namespace arthron::cli {
namespace {

constexpr double font = 13, line_height = 19, sample = 22, gap = 6;  // [px]
constexpr const char* colours[] = {"#1f5fbf", "#d8401c", "#2a9d55", "#8a5fbf", "#c08a00", "#606060", "#1599a8", "#b0306a"};
constexpr std::size_t colour_count = std::size(colours);

/// As gnuplot reads it: in single quotes nothing is expanded or executed.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : plain_text(text)) result += c == '\'' ? "''" : std::string(1, c);
  return result + '\'';
}

/// About as wide as it is drawn [px].
double text_width(const std::string& text) {
  double ems = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue;  // goes on with a character
    ems += std::string_view("ijlI.,:;|!'()[]ft ").find(c) != std::string_view::npos ? 0.38
           : std::string_view("mwMW%@").find(c) != std::string_view::npos           ? 0.95
                                                                                    : 0.64;
  }
  return font * ems;
}

std::string number(double value) { return shortest_text(value); }

/// A pane and where it stands, in pixels from the upper left corner.
struct Place {
  const Pane* pane = nullptr;
  Axis x{}, y{};
  bool lowest = true;  // of those that share its x axis
  std::size_t legend_columns = 1, legend_rows = 1;
  double left = 0, right = 0, top = 0, bottom = 0;  // of the area of the curves
  double legend_top = 0, title_at = 0;
};

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(const std::vector<double>& values) {
    for (const double value : values)
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
};

class Layout {
 public:
  explicit Layout(const Figure& figure) : figure_(figure), columns_(std::max(1, figure.columns)) {
    for (const Pane& pane : figure.panes) places_.push_back({.pane = &pane});
    column_width_ = static_cast<double>(figure.width) / static_cast<double>(columns_);
    choose_axes();
    for (std::size_t i = 0; i < places_.size(); ++i) stand(i);
    rows();
  }

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] double title_height() const { return figure_.title.empty() ? 0 : 30; }

 private:
  void choose_axes() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      Extent x, y;
      bool lines = true;  // dots are not to lie on the frame
      for (std::size_t j = i % columns_; j < places_.size(); j += columns_) {
        if (places_[j].pane->x_label != places_[i].pane->x_label) continue;
        if (j > i) places_[i].lowest = false;
        for (const Series& series : places_[j].pane->series) x.take(series.x), lines = lines && !series.points;
      }
      for (const Series& series : places_[i].pane->series) y.take(series.y);
      places_[i].x = make_axis(x.low, x.high, std::clamp(static_cast<int>(column_width_ / 90), 3, 10), lines);
      places_[i].y = make_axis(y.low, y.high, std::clamp(figure_.pane_height / 45, 2, 8), false);
    }
  }

  /// Left and right: the margins of a column are those that its widest numbers need.
  void stand(std::size_t index) {
    Place& place = places_[index];
    double numbers = 0;
    for (std::size_t j = index % columns_; j < places_.size(); j += columns_)
      for (const Axis::Tic& tic : places_[j].y.tics) numbers = std::max(numbers, text_width(tic.text));
    const double origin = column_width_ * static_cast<double>(index % columns_);
    place.left = origin + 34 + numbers;
    place.right = origin + column_width_ - 22;

    double entry = 0;
    for (const Series& series : place.pane->series) entry = std::max(entry, sample + gap + text_width(series.name) + 2 * gap);
    const std::size_t count = std::max<std::size_t>(1, place.pane->series.size());
    place.legend_columns = std::clamp<std::size_t>(static_cast<std::size_t>((place.right - place.left) / std::max(entry, 1.0)), 1, count);
    place.legend_rows = place.pane->series.empty() ? 0 : (count + place.legend_columns - 1) / place.legend_columns;
  }

  /// Up and down: what stands side by side begins and ends at the same height.
  void rows() {
    double at = title_height();
    for (std::size_t begin = 0; begin < places_.size(); begin += columns_) {
      const std::size_t end = std::min(begin + columns_, places_.size());
      double above = 10, below = 10;
      for (std::size_t i = begin; i < end; ++i) {
        const Place& place = places_[i];
        above =
            std::max(above, 10 + (place.pane->title.empty() ? 0 : line_height + 3) + line_height * static_cast<double>(place.legend_rows));
        if (place.lowest) below = place.pane->x_label.empty() ? std::max(below, 28.0) : 48;
      }
      // A pane has its height between legend and numbers; many names make the picture higher, not the curves flatter.
      const double area = std::max(60.0, figure_.pane_height - 70.0);
      for (std::size_t i = begin; i < end; ++i) {
        Place& place = places_[i];
        place.top = at + above, place.bottom = at + above + area;
        place.legend_top = place.top - 4 - line_height * static_cast<double>(place.legend_rows);
        place.title_at = place.legend_top - 3 - line_height / 2;
      }
      at += above + area + below;
    }
    height_ = std::ceil(std::max(at, 40.0));
  }

  const Figure& figure_;
  std::size_t columns_;
  double column_width_ = 0, height_ = 0;
  std::vector<Place> places_;
};

class Script {
 public:
  Script(const Figure& figure, const std::string& terminal) : figure_(figure), layout_(figure), svg_(terminal == "svg") {
    text_ = "set encoding utf8\nset terminal " + terminal + " noenhanced size " + std::to_string(figure.width) + ',' +
            number(layout_.height()) + " font 'DejaVu Sans," + number(points(font)) +
            "' rounded background '#ffffff'\nset multiplot\nset key off\nset border 3 linecolor rgb '#606060'\nset tics nomirror out scale "
            "0.5 textcolor rgb '#303030'\n"
            "set grid xtics ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 1\n";
  }

  std::string whole() {
    if (!figure_.title.empty())
      label(figure_.title, figure_.width / 2.0, layout_.title_height() / 2 + 3, "center font '," + number(points(16)) + '\'');
    for (const Place& place : layout_.places()) draw(place);
    if (layout_.places().empty()) text_ += "plot [0:1][0:1] NaN\n";
    return text_ + "unset multiplot\n";
  }

 private:
  /// Sizes of fonts as the terminal counts them: pixels in SVG, points of 96 pixels an inch otherwise.
  [[nodiscard]] double points(double pixels) const { return svg_ ? pixels : 0.75 * pixels; }
  [[nodiscard]] std::string at(double x, double y) const {
    return "screen " + number(x / figure_.width) + ",screen " + number(1 - y / layout_.height());
  }
  void label(const std::string& words, double x, double y, const std::string& style) {
    text_ += "set label " + quoted(words) + " at " + at(x, y) + ' ' + style + " textcolor rgb '#202020' noenhanced\n";
  }

  void axis(const char* name, const Axis& axis, bool numbers) {
    text_ += std::string("set ") + name + "range [" + number(axis.low) + ':' + number(axis.high) + "]\nset " + name + "tics (";
    for (std::size_t i = 0; i < axis.tics.size(); ++i)
      text_ += (i == 0 ? "" : ",") + quoted(numbers ? axis.tics[i].text : "") + ' ' + number(axis.tics[i].at);
    text_ += ")\n";
  }

  void legend(const Place& place) {
    const double width = (place.right - place.left) / static_cast<double>(place.legend_columns);
    double entry = 0;
    for (const Series& series : place.pane->series) entry = std::max(entry, sample + gap + text_width(series.name) + 3 * gap);
    for (std::size_t i = 0; i < place.pane->series.size(); ++i) {
      const Series& series = place.pane->series[i];
      const std::size_t column = i % place.legend_columns, row = i / place.legend_columns;
      const double x = place.left + std::min(width, entry) * static_cast<double>(column);
      const double y = place.legend_top + line_height * (0.5 + static_cast<double>(row));
      if (series.points) {
        text_ += "set label '' at " + at(x + sample / 2, y) + " point" + marks(series, i) + '\n';
      } else {
        text_ += "set arrow from " + at(x, y) + " to " + at(x + sample, y) + " nohead" + line(series, i) + '\n';
      }
      label(series.name, x + sample + gap, y, "left");
    }
  }

  static std::string colour(const Series& series, std::size_t index) {
    const std::size_t number = series.colour < 0 ? index : static_cast<std::size_t>(series.colour);
    return std::string(" linecolor rgb '") + colours[number % colour_count] + '\'';
  }
  /// Dashed once the colours have been used up, or where the series says so.
  static std::string line(const Series& series, std::size_t index) {
    const int dash = series.colour < 0 ? static_cast<int>(index / colour_count) : series.dash;
    return colour(series, index) + " linewidth 1.8 dashtype " + std::to_string(1 + dash % 4);
  }
  static std::string marks(const Series& series, std::size_t index) { return colour(series, index) + " pointtype 7 pointsize 0.6"; }

  void draw(const Place& place) {
    const std::string margins[] = {number(place.left / figure_.width), number(place.right / figure_.width),
                                   number(1 - place.top / layout_.height()), number(1 - place.bottom / layout_.height())};
    text_ += "set lmargin at screen " + margins[0] + "\nset rmargin at screen " + margins[1] + "\nset tmargin at screen " + margins[2] +
             "\nset bmargin at screen " + margins[3] + '\n';
    axis("x", place.x, place.lowest);
    axis("y", place.y, true);
    const Pane& pane = *place.pane;
    if (place.lowest) label(with_exponent(pane.x_label, place.x.exponent), (place.left + place.right) / 2, place.bottom + 36, "center");
    const double origin = column_left(place);
    label(with_exponent(pane.y_label, place.y.exponent), origin + 14, (place.top + place.bottom) / 2, "center rotate by 90");
    if (!pane.title.empty()) label(pane.title, place.left, place.title_at, "left");
    legend(place);
    curves(place);
    text_ += "unset label\nunset arrow\n";
  }

  [[nodiscard]] double column_left(const Place& place) const {
    const double width = static_cast<double>(figure_.width) / std::max(1, figure_.columns);
    return width * std::floor(place.left / width);
  }

  /// Writes runs of points as a block of data; its name.
  template <class Runs>
  std::string data_block(const Runs& runs) {
    const std::string block = "$curve" + std::to_string(++blocks_);
    text_ += block + " << END\n";
    for (const auto& run : runs) {
      for (const auto& [x, y] : run) text_ += number(x) + ' ' + number(y) + '\n';
      if (&run != &runs.back()) text_ += '\n';
    }
    text_ += "END\n";
    return block;
  }

  void curves(const Place& place) {
    std::string plots;
    for (std::size_t i = 0; i < place.pane->series.size(); ++i) {
      const Series& series = place.pane->series[i];
      const auto runs = drawn_points(series, place.x, place.y, place.right - place.left, place.bottom - place.top);
      if (runs.empty()) continue;
      const auto draw = [&](const auto& lines, const std::string& style) {
        if (!lines.empty()) plots += (plots.empty() ? "plot " : ", ") + data_block(lines) + style;
      };
      draw(runs, series.points ? " with points" + marks(series, i) : " with lines" + line(series, i));
      // A line needs two ends: what stands asingle is a dot.
      auto single = runs;
      std::erase_if(single, [](const auto& run) { return run.size() > 1; });
      if (!series.points) draw(single, " with points" + marks(series, i));
    }
    text_ += (plots.empty() ? "plot NaN" : plots) + '\n';
  }

  const Figure& figure_;
  Layout layout_;
  bool svg_;
  std::string text_;
  int blocks_ = 0;
};

}  // namespace

std::string plain_text(const std::string& text) {
  using Json = nlohmann::json;
  std::string valid = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  for (char& c : valid)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return valid;
}

std::string gnuplot_script(const Figure& figure, const std::string& terminal) { return Script(figure, terminal).whole(); }

}  // namespace arthron::cli
