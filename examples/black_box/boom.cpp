#include "hinged_body.hpp"

/// A boom on a post, turning about the vertical.
struct Boom : black_box::HingedBody {
  Boom()
      : HingedBody({.axis = {0, 0, 1},
                    .mass = 12,
                    .com = {0.9, 0.1, 0},
                    .inertia = {0.2, 3, 3.1},
                    .stiffness = 30,
                    .damping = 2,
                    .carries = true,
                    .output = {2, 0, -0.1},
                    .angle = 0.4,
                    .rate = 0.6}) {}
};
ARTHRON_HANDLE_BOX(Boom)
