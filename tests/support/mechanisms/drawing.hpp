#pragma once
#include "arthron/authoring/random_keys.hpp"
#include "support/mechanisms/mechanism.hpp"

namespace arthron::test {

/// A mechanism while it is drawn, piece by piece. Every piece hangs on a body that is there already or on the ground, and closes as drawn.
class Drawing : public RandomKeys {
 public:
  Drawing(const Registry& types, unsigned seed) : RandomKeys(seed * 2654435761U + 12345U), types_(types) {
    drawn_.seed = seed;
    drawn_.model = {{"arthron", 1}, {"name", "random_" + std::to_string(seed)}, {"gravity", {0, 0, 0}}};
    drawn_.model["bodies"] = Json::object(), drawn_.model["joints"] = Json::object();
  }

  Mechanism draw();

 private:
  // What pieces are made of.
  Vector direction();
  Vector across(const Vector& axis);
  Vector place(double size = 0.8) { return vector_of(vector(size)); }
  std::string any_carrier();
  std::string add_body(const Vector& near, bool light = false);
  std::string add_joint(const Json& keys, const std::string& parent, const std::string& child, const Vector& at);
  std::string add_hinge(const std::string& parent, const std::string& child, const Vector& at, const Vector& axis);
  Json any_joint(int least_freedoms);
  [[nodiscard]] Json& joints() { return drawn_.model["joints"]; }

  // Pieces.
  void draw_base();
  void draw_branch();
  void draw_doubled();
  void draw_four_bar();
  void draw_slider_crank();
  void draw_parallel_cranks();
  void draw_spherical_four_bar();
  void draw_ring();
  void draw_screw_loop();
  void draw_extra_link();
  Json doubling(const Json& first, const Vector& at, const Vector& axis, Vector& where);

  // What moves and loads it.
  void draw_initial_state();
  void draw_drive();
  void draw_joint_loads();
  void draw_forces();
  Wave wave(double amplitude) { return {number(-amplitude, amplitude), number(1, 8), number(0, 3)}; }
  [[nodiscard]] bool bears_no_load(const Json& joint) const;
  std::string heavy_body();
  template <class Make>
  Json per_freedom(const Json& joint, const Make& make);

  const Registry& types_;
  Mechanism drawn_;
  std::vector<std::string> bodies_;
  std::vector<bool> light_;
  std::vector<bool> spins_;  // turns many times in a run: nothing hangs on it that would be thrown about
};

}  // namespace arthron::test
