#include "arthron/components/examples.hpp"

namespace arthron {

const std::map<std::string, std::string>& builtin_examples() {
  static const std::map<std::string, std::string> examples = {
      {"file", R"json({
  "arthron": 1,
  "name": "pendulum",
  "bodies": { "arm": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.01, 0.2, 0.2] } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0] } },
  "simulate": { "until": 5 }
})json"},
      {"units", R"json("units": { "length": "mm", "angle": "deg" })json"},
      {"parameters", R"json("parameters": {
  "track": 1.5,
  "half": "=track/2",
  "rate": { "value": 35000, "unit": "N/m", "range": [0, 1e6], "tunable": true }
})json"},
      {"points", R"json("points": { "pivot": [0, 0, 0.7], "tip": { "in": "forearm", "at": [0, 0, 0.4] } })json"},
      {"road", R"json("road": { "height": "=0.05*exp(-((x - 10)/0.3)^2)" })json"},
      {"ports", R"json("ports": {
  "chassis": { "mount": true, "required": false },
  "hub": { "output": "arm", "at": [0, 0, 1], "axis": [0, 1, 0] },
  "torque": { "signal": "input", "default": "=5*sin(t)", "unit": "N m" },
  "height": { "signal": "output", "channel": "arm.position.z" }
})json"},
      {"subsystems", R"json("subsystems": {
  "swing": {
    "repeat": 3, "index": "i", "at": [0, "=0.2*i", 1], "mirror": "y", "parameters": { "length": "=1 + 0.1*i" }, "connect": { "frame": "ground" },
    "use": {
      "parameters": { "length": 1 },
      "ports": { "frame": { "mount": true } },
      "bodies": { "rod": { "type": "cylinder", "from": [0, 0, 0], "to": [0, 0, "=-length"], "radius": 0.01, "density": 7850 } },
      "joints": { "hinge": { "type": "revolute", "parent": "frame", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0] } }
    }
  }
})json"},
      {"grounds", R"json("grounds": { "shaker": { "motion": { "translation": [0, 0, "=0.01*sin(2*pi*5*t)"] } } })json"},
      {"bodies", R"json("bodies": {
  "link": { "mass": 2, "com": [0, 0, 0.2], "inertia": [0.03, 0.03, 0.01],
            "frame": { "at": [0, 0, 0.4], "rotation": { "axis": [1, 0, 0], "angle": "=30*deg" } },
            "shapes": { "rod": { "type": "capsule", "from": [0, 0, 0], "to": [0, 0, 0.4], "radius": 0.03, "color": "#4a6fa5" } } }
})json"},
      {"body box", R"json("bodies": { "case": { "type": "box", "size": [0.4, 0.3, 0.1], "com": [0, 0, 0.5], "mass": 3 } })json"},
      {"body cylinder",
       R"json("bodies": { "tube": { "type": "cylinder", "from": [0, 0, 0], "to": [0, 0, 1], "radius": 0.02, "inner_radius": 0.015, "density": 2700 } })json"},
      {"body sphere", R"json("bodies": { "bob": { "type": "sphere", "radius": 0.05, "com": [0, 0, 1], "density": 7850 } })json"},
      {"couplings", R"json("joints": {
  "motor": { "type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1] },
  "drum": { "type": "revolute", "parent": "ground", "child": "rim", "at": [0, 0, 0], "axis": [0, 0, 1] }
},
"couplings": { "gear": { "terms": { "motor": 1, "drum": -5 } } })json"},
      {"markers", R"json("markers": { "tool": { "body": "forearm", "in": "forearm", "at": [0, 0, 0.4] } })json"},
      {"simulate", R"json("simulate": {
  "until": 10, "integrator": { "type": "rk4", "step": 1e-3 },
  "output": { "step": 0.01, "channels": ["energy.total"] }
})json"},
      {"study", R"json({
  "arthron_study": 1,
  "name": "dampers",
  "model": "car.json",
  "grid": { "front.wheel_damping": { "from": 800, "to": 3200, "count": 4 } },
  "results": { "comfort": { "channel": "body.acceleration.z", "take": "rms" } }
})json"},
      {"joints", R"json("joints": {
  "knee": {
    "type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0],
    "spring": { "stiffness": 100, "damping": 2, "rest": "=10*deg" },
    "limits": { "lower": 0, "upper": "=150*deg", "stiffness": 1e4, "damping": 0.5 },
    "friction": { "effort": 0.3, "speed": 0.01 },
    "drive": { "target": "=60*deg*(1 - cos(t))", "stiffness": 300, "damping": 10, "max_effort": 80 },
    "effort": "=5*step(t, 0, 0, 1, 1)",
    "initial": { "position": "=30*deg", "velocity": 0 }
  }
})json"},
      {"joint constant_velocity", R"json("joints": {
  "shaft": { "type": "constant_velocity", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [1, 0, 0], "axis2": [1, 0.2, 0] }
})json"},
      {"joint curve", R"json("joints": {
  "rail": { "type": "curve", "parent": "ground", "child": "arm", "at": [0, 0, 0], "points": [[0, 0, 2], [3, 0, 0.5], [6, 2, 0.8]], "orientation": "along" }
})json"},
      {"joint cylindrical", R"json("joints": {
  "sleeve": { "type": "cylindrical", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1] }
})json"},
      {"joint distance", R"json("joints": {
  "rod": { "type": "distance", "parent": "ground", "child": "arm", "from": [0, 0, 0], "at": [0, 0.4, 0] }
})json"},
      {"joint expression", R"json("joints": {
  "cam": { "type": "expression", "parent": "ground", "child": "arm", "at": [0, 0, 0], "z": "=0.01*(1 - cos(3*q))", "rz": "=q" }
})json"},
      {"joint expression_2", R"json("joints": {
  "path": { "type": "expression_2", "parent": "ground", "child": "arm", "at": [0, 0, 0], "x": "=q1", "y": "=q2" }
})json"},
      {"joint expression_3", R"json("joints": {
  "path": { "type": "expression_3", "parent": "ground", "child": "arm", "at": [0, 0, 0], "x": "=q1", "y": "=q2", "z": "=q3" }
})json"},
      {"joint expression_4", R"json("joints": {
  "path": { "type": "expression_4", "parent": "ground", "child": "arm", "at": [0, 0, 0], "x": "=q1", "y": "=q2", "z": "=q3", "rx": "=q4" }
})json"},
      {"joint expression_5", R"json("joints": {
  "path": { "type": "expression_5", "parent": "ground", "child": "arm", "at": [0, 0, 0], "x": "=q1", "y": "=q2", "z": "=q3", "rx": "=q4", "ry": "=q5" }
})json"},
      {"joint expression_6", R"json("joints": {
  "path": { "type": "expression_6", "parent": "ground", "child": "arm", "at": [0, 0, 0], "x": "=q1", "y": "=q2", "z": "=q3", "rx": "=q4", "ry": "=q5", "rz": "=q6" }
})json"},
      {"joint fixed", R"json("joints": {
  "weld": { "type": "fixed", "parent": "ground", "child": "arm", "at": [0, 0, 0] }
})json"},
      {"joint free", R"json("joints": {
  "float": { "type": "free", "parent": "ground", "child": "arm", "at": [0, 0, 0], "initial": { "velocity": [1, 0, 0, 0, 0, 2] } }
})json"},
      {"joint planar", R"json("joints": {
  "table": { "type": "planar", "parent": "ground", "child": "arm", "at": [0, 0, 0], "normal": [0, 0, 1], "x_axis": [1, 1, 0] }
})json"},
      {"joint point_in_plane", R"json("joints": {
  "floor": { "type": "point_in_plane", "parent": "ground", "child": "arm", "at": [0, 0, 0], "normal": [0, 0, 1] }
})json"},
      {"joint point_on_line", R"json("joints": {
  "groove": { "type": "point_on_line", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [1, 0, 0] }
})json"},
      {"joint prismatic", R"json("joints": {
  "slide": { "type": "prismatic", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [1, 0, 0] }
})json"},
      {"joint revolute", R"json("joints": {
  "hinge": { "type": "revolute", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0] }
})json"},
      {"joint screw", R"json("joints": {
  "bolt": { "type": "screw", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1], "pitch": 0.005 }
})json"},
      {"joint spherical", R"json("joints": {
  "ball": { "type": "spherical", "parent": "ground", "child": "arm", "at": [0, 0, 0], "initial": { "position": [0, 0, "=20*deg"] } }
})json"},
      {"joint universal", R"json("joints": {
  "cross": { "type": "universal", "parent": "ground", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0], "axis2": [0, 0, 1] }
})json"},
      {"force bump_stop", R"json("forces": {
  "buffer": { "type": "bump_stop", "from": ["ground", [0, 0, 1]], "to": ["arm", [0, 0, 0.5]], "length": 0.2, "stiffness": 2e4, "cubic": 1e8 }
})json"},
      {"force bushing", R"json("forces": {
  "rubber": { "type": "bushing", "from": ["ground", [0, 0, 0]], "to": ["arm", [0, 0, 0]],
              "stiffness": [1e6, 1e7, 1e7], "damping": 500, "rotational_stiffness": 100, "rotational_damping": 1 }
})json"},
      {"force contact", R"json("forces": {
  "foot": { "type": "contact", "on": ["arm", [0, 0, 0.5]], "radius": 0.02, "stiffness": 6e5, "damping": 1, "friction": 0.8 }
})json"},
      {"force force", R"json("forces": {
  "push": { "type": "force", "on": ["arm", [0, 0, 0.5]], "force": [0, 0, "=10*exp(-t)"], "axes": "body" }
})json"},
      {"force spring_damper", R"json("forces": {
  "strut": { "type": "spring_damper", "from": ["ground", [0, 0, 1]], "to": ["arm", [0, 0, 0.5]],
             "stiffness": 35000, "damping": 2000, "free_length": 0.6 }
})json"},
      {"force torsion_spring", R"json("forces": {
  "bar": { "type": "torsion_spring", "from": ["ground", [0, 0, 0]], "to": ["arm", [0, 0, 0]], "axis": [0, 1, 0], "stiffness": 500 }
})json"},
      {"force tyre", R"json("forces": {
  "tyre": { "type": "tyre", "on": ["rim", [0, 0, 0.3]], "axis": [0, 1, 0], "radius": 0.315, "stiffness": 2e5, "damping": 200,
            "longitudinal_stiffness": 8e4, "cornering_stiffness": 6e4, "friction": 1, "trail": 0.03 }
})json"}};
  return examples;
}

}  // namespace arthron
