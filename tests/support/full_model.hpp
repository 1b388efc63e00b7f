#pragma once

namespace arthron::testing {

/// A model that uses every section of the language and most of its keys.
inline constexpr auto full_model = R"json({
  "arthron": 1,
  "name": "bench",
  "description": "everything once",
  "parameters": {
    "half": "=track/2 - 0.05",
    "track": 1.5,
    "rate": { "value": "=half*5e4", "unit": "N/m", "range": [0, 1e6], "tunable": true }
  },
  "points": { "pivot": [0, 0, "=half"], "foot": [0, 1, 0], "tip": { "in": "link", "at": [0, 0, 0.4] } },
  "gravity": [0, 0, -9.81],
  "road": { "height": "=0.01*sin(x) + 0.001*t*y" },
  "ports": {
    "chassis": { "mount": true, "required": false },
    "hub": { "output": "arm", "at": "tip", "axis": [0, 1, 0] }, "tail": { "output": "pair_1.knob" }, "drive": { "signal": "input", "default": "=0.1*t", "unit": "rad" }, "height": { "signal": "output", "channel": "end.position.z" }, "seen": { "signal": "input", "default": "height" }
  },
  "grounds": {
    "shaker": { "motion": { "translation": [0, 0, "=0.01*sin(2*pi*t)"], "rotation": [0, 0, "=0.1*t"] } },
    "wall": { "frame": { "at": [1, 0, 0] }, "shapes": { "slab": { "type": "box", "size": [0.1, 1, 1], "at": [0, 0, 0.5], "rotation": { "axis": [0, 0, 1], "angle": 0.1 }, "color": "#a0b0C0" } } }
  },
  "bodies": {
    "arm": {
      "mass": 2, "com": [0, 0.1, 0.2], "inertia": [0.02, 0.02, 0.01],
      "shapes": {
        "bar": { "type": "capsule", "from": "pivot", "to": "foot", "radius": 0.02 },
        "tube": { "type": "cylinder", "from": "pivot", "to": [0, 1, 1], "radius": 0.02, "inner_radius": 0.01 },
        "knob": { "type": "sphere", "at": "foot", "radius": 0.03 }
      }
    },
    "link": {
      "mass": 1, "com": [0, 0, 0.2], "inertia": [0.02, 0.02, 0.01, 0, 0, 0.001],
      "frame": { "in": "wall", "at": "pivot", "rotation": { "axis": [1, 0, 0], "angle": "=30*deg" } }
    },
    "ball": { "mass": 1, "inertia": [0.02, 0.02, 0.02] },
    "slider": { "mass": 1, "inertia": [0.02, 0.02, 0.02] },
    "bob": { "mass": 0.5, "com": "foot", "inertia": [0.02, 0.02, 0.02] },
    "plate": { "mass": 0.5, "com": "foot", "inertia": [0.02, 0.02, 0.04] },
    "wheel": { "mass": 9, "inertia": [0.3, 0.6, 0.3] },
    "rod": { "mass": 1, "inertia": [0.02, 0.02, 0.02] },
    "shaft": { "mass": 1, "inertia": [0.02, 0.02, 0.02] },
    "bead": { "mass": 1, "inertia": [0.02, 0.02, 0.02] },
    "puck": { "mass": 1, "inertia": [0.02, 0.02, 0.02] }
  },
  "joints": {
    "pivot_joint": {
      "type": "revolute", "parent": "chassis", "child": "arm", "at": "pivot", "axis": ["pivot", "foot"],
      "spring": { "stiffness": "=rate", "damping": 1, "rest": 0.1 }, "effort": "=sin(t)",
      "initial": { "position": "=30*deg", "velocity": 1, "keep": true }
    },
    "elbow": {
      "type": "universal", "parent": "arm", "child": "link", "in": "link", "at": [0, 0, 0], "axis": [1, 0, 0], "axis2": [0, 1, 0],
      "motion": ["=0.1*sin(t)", { "table": [[0, 0], [1, 0.2], [2, 0.1]], "interpolation": "smooth" }]
    },
    "float": {
      "type": "free", "parent": "ground", "child": "ball", "at": [0, 0, 0],
      "spring": { "damping": 0.1 }, "initial": { "position": [0, 0, 1, 0, 0, 0.1], "velocity": [0, 0, 0, 1, 2, 3] }
    },
    "sleeve": {
      "type": "cylindrical", "parent": "shaker", "child": "slider", "at": [0, 0, 0], "axis": [0, 0, 1],
      "spring": { "stiffness": [100, 1], "damping": 0.5, "rest": [0.1, 0] }, "effort": [0, "=step(t, 0, 0, 1, 2)"]
    },
    "hinge": { "type": "spherical", "parent": "slider", "child": "bob", "at": "foot", "spring": { "stiffness": 3 } },
    "weld": { "type": "fixed", "parent": "bob", "child": "plate", "at": "foot" },
    "bearing": {
      "type": "revolute", "parent": "arm", "child": "wheel", "at": [0, 0, 0], "axis": [0, 1, 0],
      "limits": { "lower": -1, "upper": 2, "stiffness": 1000, "damping": 0.1 },
      "friction": { "effort": 0.5, "static_effort": 0.7, "speed": 0.02, "stribeck_speed": 0.1 },
      "drive": { "target": "=0.3*sin(t)", "target_rate": "=0.3*cos(t)", "stiffness": 30, "damping": 2, "max_effort": 20 }
    },
    "tie": { "type": "distance", "parent": "wheel", "child": "rod", "from": "foot", "at": [0, 0, 1] },
    "bend": { "type": "constant_velocity", "parent": "rod", "child": "shaft", "at": [0, 0, 1], "axis": [1, 0, 0], "axis2": [1, 0.2, 0] },
    "guide": { "type": "point_on_line", "parent": "ground", "child": "bead", "at": [0, 0, 1], "axis": [1, 0, 0] },
    "table": { "type": "point_in_plane", "parent": "ground", "child": "puck", "at": [0, 0, 1], "normal": [0, 0, 1], "x_axis": [0, 1, 0] }
  },
  "forces": {
    "strut": {
      "type": "spring_damper", "from": ["wall", [1, 0, 0]], "to": ["arm", "foot"],
      "stiffness": "=rate", "damping": 100, "free_length": 0.3
    },
    "rubber": {
      "type": "bushing", "from": ["arm", "foot"], "to": ["wheel", "foot"], "x_axis": [0, 0, 1], "y_axis": [0, 1, 0],
      "stiffness": [1e5, 1e5, 2e4], "damping": 100, "preload": [0, 0, 10],
      "rotational_stiffness": 100, "rotational_damping": [1, 1, 2], "preload_torque": [0, 1, 0]
    },
    "stop": {
      "type": "bump_stop", "from": ["wall", [1, 0, 0]], "to": ["arm", "foot"], "length": 0.2,
      "stiffness": 1e4, "cubic": 1e7, "damping": 0.5, "law": [[0, 0], [0.01, 300]], "acts": "rebound"
    },
    "sole": {
      "type": "contact", "on": ["ball", [0, 0, 0]], "radius": 0.1,
      "stiffness": 1e5, "exponent": 1.5, "damping": 1, "friction": 0.8, "slip_speed": 0.02
    },
    "tyre": {
      "type": "tyre", "on": ["wheel", [0, 0, 0]], "axis": [0, 1, 0], "radius": 0.3, "stiffness": 2e5, "damping": 100,
      "longitudinal_stiffness": 8e4, "cornering_stiffness": 6e4, "friction": [1, 0.9], "trail": 0.03, "low_speed": 0.5
    },
    "push": { "type": "force", "on": ["ball", [0, 0, 0]], "force": [0, 0, "=10*exp(-t)"] }
  },
  "markers": {
    "end": { "body": "link", "at": "tip" },
    "top": { "body": "link", "in": "link", "at": [0, 0, 0.4] }
  },
  "subsystems": {
    "pair": {
      "repeat": 2, "index": "i", "at": ["=i", 0, 0], "rotation": { "axis": [0, 0, 1], "angle": 0.1 }, "mirror": "x",
      "parameters": { "gain": "=half" }, "connect": { "base": "wall", "level": "drive" },
      "use": {
        "parameters": { "gain": 1 },
        "ports": {
          "base": { "mount": true, "required": false }, "level": { "signal": "input" },
          "knob": { "output": "bar", "at": [0, 0, 1] }
        },
        "bodies": { "bar": { "mass": 1, "inertia": [0.1, 0.1, 0.1] } },
        "joints": {
          "turn": { "type": "revolute", "parent": "base", "child": "bar", "at": [0, 0, 0], "axis": [0, 0, 1], "effort": "=gain*level" }
        }
      }
    }
  },
  "simulate": {
    "until": 2,
    "integrator": { "type": "bdf", "tolerance": 1e-8, "absolute_tolerance": 1e-10 },
    "loops": { "reanchor": true, "project": false, "tolerance": 1e-9 },
    "output": { "step": 0.01, "channels": ["end.position", "strut.force"] },
    "formulation": "hdca", "elimination": "fold", "threads": 2
  }
})json";

}  // namespace arthron::testing
