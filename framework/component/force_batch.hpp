#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "arthron/component/author_code.hpp"
#include "arthron/component/lane_force_batch.hpp"

/// The template that turns an author's force struct into what the kernel and the loader call.
namespace arthron {

template <class F>
class ForceBatchOf final : public ForceBatch {
 public:
  void add(const ForceDefinition& definition, const ForcePlace& place, const Placement& placement) override {
    items_.push_back({static_cast<const ForceDefinitionOf<F>&>(definition).force(), place, static_cast<int>(definition.handles().size()),
                      frame_indifferent_of<F>() || placement.is_identity(), placement.is_shift(), placement});
  }
  [[nodiscard]] int size() const override { return static_cast<int>(items_.size()); }
  void initial_states(double* x) const override {
    for (const Item& item : items_) {
      std::fill_n(x + item.place.state, states_of<F>(), 0.0);
      if constexpr (requires { item.force.initial_states(x); }) item.force.initial_states(x + item.place.state);
    }
  }
  void state_sizes(double* sizes) const override {
    for (const Item& item : items_) {
      std::fill_n(sizes + item.place.state, states_of<F>(), 1.0);
      if constexpr (requires { item.force.state_sizes(sizes); }) item.force.state_sizes(sizes + item.place.state);
    }
  }
  void load(Slice forces, const Instant& now, const ForceInputs& given, const ForceOutputs& wanted) const override {
    const ForceInputs in = given;  // in registers, whatever is written
    const ForceOutputs out = wanted;
    for (const Item& item : std::span(items_).subspan(static_cast<std::size_t>(forces.first), static_cast<std::size_t>(forces.size()))) {
      const HandleState* handles = in.handles + item.place.handle;
      Spatial6* const own = out.wrenches + item.place.handle;
      if (!item.as_drawn) {
        HandleState* const drawn = out.drawn + item.place.handle;
        for (int i = 0; i < item.handles; ++i)
          drawn[i] = item.shifted ? HandleState{handles[i].position - item.placement.X.p, handles[i].rotation, handles[i].velocity}
                                  : seen_from(item.placement, handles[i]);
        handles = drawn;
      }
      ask(item, [&] { load_and_rates(item.force, now, handles, in.x + item.place.state, own, out.xdot + item.place.state); });
      if (item.as_drawn || item.shifted) continue;
      for (int i = 0; i < item.handles; ++i) own[i] = item.placement.wrench(own[i]);
    }
  }
  [[nodiscard]] double energy(int index, const Instant& now, const ForceInputs& in) const override {
    const Item& item = items_[index];
    const double* const x = in.x + item.place.state;
    if constexpr (requires { item.force.energy(now, in.handles, x); })
      return ask(item, [&] { return item.force.energy(now, handles_of(item, in), x); });
    else if constexpr (requires { item.force.energy(now, in.handles); })
      return ask(item, [&] { return item.force.energy(now, handles_of(item, in)); });
    return 0;
  }
  void measure(int index, const Instant& now, const ForceInputs& in, double* values) const override {
    const Item& item = items_[index];
    const double* const x = in.x + item.place.state;
    if constexpr (requires { item.force.measure(now, in.handles, x, values); })
      ask(item, [&] { item.force.measure(now, handles_of(item, in), x, values); });
    else if constexpr (requires { item.force.measure(now, in.handles, values); })
      ask(item, [&] { item.force.measure(now, handles_of(item, in), values); });
  }

 private:
  struct Item {
    F force;
    ForcePlace place;
    int handles;
    bool as_drawn;  // the drawing's frame is the world's, or makes no difference
    bool shifted;   // it has the world's axes
    Placement placement;
  };

  template <class Call>
  static auto ask(const Item& item, const Call& call) {
    return ask_force(F::type, item.place.handle, call);
  }

  static const HandleState* handles_of(const Item& item, const ForceInputs& in) {
    return (item.as_drawn ? in.handles : in.drawn) + item.place.handle;
  }

  std::vector<Item> items_;
};

/// Whether no state has the name of a measured quantity.
template <class F>
constexpr bool names_differ() {
  if constexpr (requires { F::states, F::channels; })
    for (const OutputChannel& state : F::states)
      for (const OutputChannel& channel : F::channels)
        if (state.name == channel.name) return false;
  return true;
}

template <class F>
class ForceTypeOf final : public ForceType {
 public:
  [[nodiscard]] std::string_view name() const override { return F::type; }
  [[nodiscard]] std::vector<OutputChannel> channels() const override {
    if constexpr (requires { F::channels; }) return {F::channels.begin(), F::channels.end()};
    return {};
  }
  [[nodiscard]] std::string_view example() const override {
    if constexpr (requires { F::example; }) return F::example;
    return {};
  }
  [[nodiscard]] std::vector<OutputChannel> states() const override {
    if constexpr (requires { F::states; }) return {F::states.begin(), F::states.end()};
    return {};
  }
  [[nodiscard]] ForceLook look() const override {
    if constexpr (requires { F::look; }) return F::look;
    return ForceLook::line;
  }
  [[nodiscard]] std::shared_ptr<const ForceDefinition> parse(const JsonReader& in) const override {
    const auto before = static_cast<std::ptrdiff_t>(in.handles().size());
    F force = F::parse(in);
    return std::make_shared<ForceDefinitionOf<F>>(std::move(force), std::vector<Handle>(in.handles().begin() + before, in.handles().end()),
                                                  shared_from_this());
  }
  [[nodiscard]] std::unique_ptr<ForceBatch> make_batch() const override { return std::make_unique<ForceBatchOf<F>>(); }
  [[nodiscard]] std::unique_ptr<LaneForceBatch> make_lane_batch() const override { return std::make_unique<LaneForceBatchOf<F>>(); }

 private:
  static_assert(names_differ<F>(), "states and channels of a force type have names of their own");
};

}  // namespace arthron
