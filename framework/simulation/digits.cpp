#include "arthron/simulation/digits.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "arthron/simulation/runner.hpp"
#include "arthron/simulation/shortest_text.hpp"

namespace arthron {
namespace {

/// More than a double has.
constexpr int most_digits = 15;
/// Those that tables tell.
constexpr std::array shown{1, 2, 3, 4, 6, 8, 10, 12};

double half_unit(int digit, double largest) { return 0.5 * std::pow(10, -digit) * largest; }

/// The settings with smaller errors; says in words what is smaller.
std::string tighten(IntegratorSettings& settings) {
  constexpr double tighter = 0.01, least = 1e-15;
  const auto same_name = [&](const IntegratorType& type) { return type.name == settings.type; };
  if (std::find_if(integrator_types().begin(), integrator_types().end(), same_name)->fixed_step) {
    settings.step /= 2;
    return "a step of " + rounded_text(settings.step) + " s";
  }
  if (settings.relative_tolerance <= least || settings.absolute_tolerance <= least)
    throw ModelError({{"", 0, "--digits", "a tolerance of " + shortest_text(least), "one that can be tightened", ""}});
  double &relative = settings.relative_tolerance, &absolute = settings.absolute_tolerance;
  relative = std::fmax(tighter * relative, least), absolute = std::fmax(tighter * absolute, least);
  if (relative == absolute) return "a tolerance of " + rounded_text(relative);
  return "tolerances of " + rounded_text(relative) + " (relative) and " + rounded_text(absolute) + " (absolute)";
}

}  // namespace

int Digits::Channel::digits() const {
  int hold = 0;
  while (hold < most_digits && difference <= half_unit(hold + 1, largest)) ++hold;
  return hold;
}

std::optional<double> Digits::Channel::until(int digits, double end) const {
  const double allowed = half_unit(digits, largest);
  if (difference <= allowed) return end;
  const auto beyond = std::find_if(growth.begin(), growth.end(), [&](const Growth& g) { return !(g.difference <= allowed); });
  if (beyond == growth.end()) return end;
  return beyond->before < 0 ? std::nullopt : std::optional(beyond->before);
}

DigitCheck::DigitCheck(const Model& model, const std::vector<ChannelRequest>& requests, std::int64_t max_steps) {
  auto tighter = std::make_shared<Model>(model);
  digits_.against = tighten(tighter->simulation.integrator);
  const double least = model.simulation.integrator.absolute_tolerance;
  simulation_ = std::make_unique<Simulation>(std::move(tighter), max_steps);
  channels_ = std::make_unique<ChannelSet>(simulation_->plan(), requests);
  row_.resize(channels_->columns().size());
  for (const ChannelColumn& column : channels_->columns()) digits_.channels.push_back({column, least});
}

Status DigitCheck::advance_to(double t) {
  if (!std::exchange(started_, true))
    if (const Status status = simulation_->start(); !status.ok()) return status;
  if (const Status status = simulation_->advance_to(t); !status.ok()) return status;
  if (const Status status = simulation_->observe(channels_->needs_accelerations()); !status.ok()) return status;
  return simulation_->guard([&] {
    channels_->read(simulation_->plan(), simulation_->workspace(), row_);
    return Status{};
  });
}

void DigitCheck::row(double t, std::span<const double> values) {
  if (!status_.ok()) return;
  const Clock clock;
  status_ = advance_to(t);
  digits_.wall += clock.wall(), digits_.cpu += clock.cpu();
  if (status_.ok()) return compare(t, values);
  digits_.message = describe(status_, simulation_->plan(), simulation_->workspace(), simulation_->state().t);
}

void DigitCheck::compare(double t, std::span<const double> values) {
  // Differences grow by decades: what is less than this beyond the last one noted is a matter of hundredths of a digit.
  constexpr double noted = 1.05;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Digits::Channel& channel = digits_.channels[i];
    const double between = std::abs(values[i] - row_[i]), difference = std::isnan(between) ? HUGE_VAL : between;
    channel.largest = std::fmax(channel.largest, std::abs(values[i]));
    if (!(difference > channel.difference)) continue;
    channel.difference = difference;
    if (channel.growth.empty() || difference > noted * channel.growth.back().difference) channel.growth.push_back({last_row_, difference});
  }
  last_row_ = digits_.compared = t;
}

std::string to_text(const Digits& digits) {
  std::string text = "digits              against a run with " + digits.against + "; of each channel's largest value\n";
  if (!digits.message.empty())
    text += "                    that ended at " + rounded_text(digits.compared) + " s: " + digits.message + '\n';
  std::size_t width = 0;
  for (const Digits::Channel& channel : digits.channels) width = std::max(width, channel.column.name.size());
  const auto cell = [&text](const std::string& value, std::size_t room) {
    text.append(value.size() < room ? room - value.size() : 1, ' ');
    text += value;
  };
  const std::string heading = "hold until [s]";
  width = std::max(width, heading.size());
  text += heading + std::string(width - heading.size(), ' ');
  for (const int digit : shown) cell(std::to_string(digit), 9);
  text += '\n';
  for (const Digits::Channel& channel : digits.channels) {
    text += channel.column.name + std::string(width - channel.column.name.size(), ' ');
    for (const int digit : shown) {
      const std::optional<double> until = channel.until(digit, digits.compared);
      cell(!until ? "-" : *until == digits.compared ? "end" : rounded_text(*until), 9);
    }
    text += '\n';
  }
  return text;
}

nlohmann::ordered_json to_json(const Digits& digits) {
  nlohmann::ordered_json channels = nlohmann::ordered_json::object();
  for (const Digits::Channel& channel : digits.channels) {
    nlohmann::ordered_json until = nlohmann::ordered_json::object();
    for (const int digit : shown) {
      const std::optional<double> time = channel.until(digit, digits.compared);
      until[std::to_string(digit)] = time ? nlohmann::ordered_json(*time) : nlohmann::ordered_json(nullptr);
    }
    channels[channel.column.name] = {
        {"largest", channel.largest}, {"difference", channel.difference}, {"digits", channel.digits()}, {"until", until}};
  }
  return {{"against", digits.against},
          {"compared_until", digits.compared},
          {"message", digits.message},
          {"wall_time", digits.wall},
          {"channels", channels}};
}

}  // namespace arthron
