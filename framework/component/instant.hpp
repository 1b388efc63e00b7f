#pragma once

namespace arthron {

/// A number that reaches functions of time while a simulation runs: an input that a program sets, or a measurement fed back.
struct Signal {
  bool live = false;                      // else functions take what the model says instead
  double value = 0, rate = 0, since = 0;  // value + rate (t - since)

  [[nodiscard]] double at(double t) const { return value + rate * (t - since); }
};

/// When functions of time are asked: a time, and the signals of a simulation, by the numbers the model gives them. A time alone is one
/// without signals, so that whatever needs no more than the time may take a double.
struct Instant {
  Instant(double time, const Signal* all = nullptr) : t(time), signals(all) {}
  operator double() const { return t; }

  double t;  // [s]
  const Signal* signals;
};

}  // namespace arthron
