#include "hinged_body.hpp"

/// A load that swings about a slanted pin.
struct Load : black_box::HingedBody {
  Load()
      : HingedBody({.axis = {0.6, 0.8, 0},
                    .mass = 7,
                    .com = {0.05, 0, -1.1},
                    .inertia = {0.5, 0.4, 0.3},
                    .damping = 0.3,
                    .angle = -0.7,
                    .rate = 1.5}) {}
};
ARTHRON_HANDLE_BOX(Load)
