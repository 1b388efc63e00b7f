#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "arthron/component/author_code.hpp"
#include "arthron/component/lane_force_batch.hpp"
#include "arthron/core/diagnostic.hpp"

/// The template that turns an author's force struct into what the kernel and the loader call.
namespace arthron {

template <class F>
class ForceBatchOf final : public ForceBatch {
 public:
  void add(const ForceDefinition& definition, int first_handle, const Placement& placement) override {
    items_.push_back({static_cast<const ForceDefinitionOf<F>&>(definition).force(), first_handle,
                      static_cast<int>(definition.handles().size()), frame_indifferent_of<F>() || placement.is_identity(), placement});
    if (definition.handles().size() > max_handles) throw InternalError("a force has at most max_handles handles");
  }
  [[nodiscard]] int size() const override { return static_cast<int>(items_.size()); }
  void load(Slice forces, const Instant& now, const HandleState* states, Spatial6* wrenches) const override {
    for (const Item& item : std::span(items_).subspan(static_cast<std::size_t>(forces.first), static_cast<std::size_t>(forces.size()))) {
      Spatial6* own = wrenches + item.handle;
      ask(item, [&] { in_drawing(item, states, [&](const HandleState* h) { item.force.load(now, h, own); }); });
      if (item.as_drawn) continue;
      for (int i = 0; i < item.handles; ++i) own[i] = item.placement.wrench(own[i]);
    }
  }
  [[nodiscard]] double energy(int index, const Instant& now, const HandleState* states) const override {
    const Item& item = items_[static_cast<std::size_t>(index)];
    if constexpr (requires { item.force.energy(now, states); })
      return ask(item, [&] { return in_drawing(item, states, [&](const HandleState* h) { return item.force.energy(now, h); }); });
    return 0;
  }
  void measure(int index, const Instant& now, const HandleState* states, double* values) const override {
    const Item& item = items_[static_cast<std::size_t>(index)];
    if constexpr (requires { item.force.measure(now, states, values); })
      ask(item, [&] { in_drawing(item, states, [&](const HandleState* h) { item.force.measure(now, h, values); }); });
  }

 private:
  struct Item {
    F force;
    int handle, handles;
    bool as_drawn;  // the drawing's frame is the world's, or makes no difference
    Placement placement;
  };

  template <class Call>
  static auto ask(const Item& item, const Call& call) {
    return ask_force(F::type, item.handle, call);
  }

  /// Calls with the force's own handles in the frame it is drawn in.
  template <class Call>
  static auto in_drawing(const Item& item, const HandleState* states, const Call& call) {
    states += item.handle;
    if (item.as_drawn) return call(states);
    std::array<HandleState, max_handles> seen;
    for (int i = 0; i < item.handles; ++i) seen[static_cast<std::size_t>(i)] = seen_from(item.placement, states[i]);
    return call(seen.data());
  }

  std::vector<Item> items_;
};

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
  [[nodiscard]] std::shared_ptr<const ForceDefinition> parse(const JsonReader& in) const override {
    const auto before = static_cast<std::ptrdiff_t>(in.handles().size());
    F force = F::parse(in);
    return std::make_shared<ForceDefinitionOf<F>>(std::move(force), std::vector<Handle>(in.handles().begin() + before, in.handles().end()),
                                                  shared_from_this());
  }
  [[nodiscard]] std::unique_ptr<ForceBatch> make_batch() const override { return std::make_unique<ForceBatchOf<F>>(); }
  [[nodiscard]] std::unique_ptr<LaneForceBatch> make_lane_batch() const override { return std::make_unique<LaneForceBatchOf<F>>(); }
};

}  // namespace arthron
