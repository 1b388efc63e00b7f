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
    "rate": { "value": "=half*5e4", "unit": "N/m", "range": [0, 1e6] }
  },
  "points": { "pivot": [0, 0, "=half"], "foot": [0, 1, 0], "tip": { "in": "link", "at": [0, 0, 0.4] } },
  "gravity": [0, 0, -9.81],
  "ports": {
    "chassis": { "mount": true, "required": false },
    "hub": { "output": "arm", "at": "tip", "axis": [0, 1, 0] }
  },
  "grounds": {
    "shaker": { "motion": { "translation": [0, 0, "=0.01*sin(2*pi*t)"], "rotation": [0, 0, "=0.1*t"] } },
    "wall": { "frame": { "at": [1, 0, 0] } }
  },
  "bodies": {
    "arm": { "mass": 2, "com": [0, 0.1, 0.2], "inertia": [0.02, 0.02, 0.01] },
    "link": {
      "mass": 1, "com": [0, 0, 0.2], "inertia": [0.02, 0.02, 0.01, 0, 0, 0.001],
      "frame": { "in": "wall", "at": "pivot", "rotation": { "axis": [1, 0, 0], "angle": "=30*deg" } }
    },
    "ball": { "mass": 1, "inertia": [0.02, 0.02, 0.02] },
    "slider": { "mass": 1, "inertia": [0.02, 0.02, 0.02] },
    "bob": { "mass": 0.5, "com": "foot", "inertia": [0.02, 0.02, 0.02] },
    "plate": { "mass": 0.5, "com": "foot", "inertia": [0.02, 0.02, 0.04] }
  },
  "joints": {
    "pivot_joint": {
      "type": "revolute", "parent": "chassis", "child": "arm", "at": "pivot", "axis": ["pivot", "foot"],
      "spring": { "stiffness": "=rate", "damping": 1, "rest": 0.1 }, "effort": "=sin(t)",
      "initial": { "position": "=30*deg", "velocity": 1 }
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
    "weld": { "type": "fixed", "parent": "bob", "child": "plate", "at": "foot" }
  },
  "forces": {
    "strut": {
      "type": "spring_damper", "from": ["wall", [1, 0, 0]], "to": ["arm", "foot"],
      "stiffness": "=rate", "damping": 100, "free_length": 0.3
    },
    "push": { "type": "force", "on": ["ball", [0, 0, 0]], "force": [0, 0, "=10*exp(-t)"] }
  },
  "markers": {
    "end": { "body": "link", "at": "tip" },
    "top": { "body": "link", "in": "link", "at": [0, 0, 0.4] }
  },
  "simulate": {
    "until": 2,
    "integrator": { "type": "bdf", "tolerance": 1e-8, "absolute_tolerance": 1e-10 },
    "output": { "step": 0.01, "channels": ["end.position", "strut.force"] },
    "formulation": "hdca", "elimination": "fold", "threads": 2
  }
})json";

}  // namespace arthron::testing
