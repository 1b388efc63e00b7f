#pragma once
#include <random>

#include "arthron/model/load.hpp"

/// Flat models with a hierarchy of their own, as if their bodies came from files.
namespace arthron::test {

/// Gives the bodies of a model without subsystems to some, nested ones among them, and every joint to the lowest one that has both its
/// ends.
inline Model in_subsystems(Model model, unsigned seed, int count) {
  std::mt19937 random(seed);
  const auto draw = [&](int least, int most) { return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)); };
  // Numbered depth first: each is right within the one before, or within one around that.
  for (int s = 1; s <= count; ++s) {
    Subsystem subsystem = model.subsystems.front();
    int parent = s - 1;
    for (int up = draw(0, 2); up > 0 && parent > 0; --up) parent = model.subsystems[static_cast<std::size_t>(parent)].parent;
    subsystem.parent = parent;
    subsystem.path = "s" + std::to_string(s);
    model.subsystems.push_back(subsystem);
  }
  const auto parent_of = [&](int s) { return model.subsystems[static_cast<std::size_t>(s)].parent; };
  const auto common = [&](int a, int b) {
    while (a != b) (a > b ? a : b) = parent_of(a > b ? a : b);
    return a;
  };
  // Neighbours are often in the same one.
  std::vector<int> home(model.bodies.size(), 0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].ground) continue;
    const bool stays = b > 0 && draw(0, 2) > 0;
    home[b] = stays ? home[b - 1] : draw(0, count);
    model.bodies[b].subsystem = home[b];
  }
  for (Joint& joint : model.joints) {
    const auto of = [&](BodyIndex body) { return home[static_cast<std::size_t>(body.value)]; };
    const bool grounded = model.bodies[static_cast<std::size_t>(joint.parent.value)].ground ||
                          model.bodies[static_cast<std::size_t>(joint.child.value)].ground;
    joint.subsystem = grounded ? std::max(of(joint.parent), of(joint.child)) : common(of(joint.parent), of(joint.child));
  }
  return model;
}

}  // namespace arthron::test
