// What joints look like. Derived from their freedoms, so that joint types of others' making are drawn too:
// every turning freedom is a short cylinder along its axis, three of them a ball, a sliding one a rail with a block, two a plate.
import { Vector3 } from "three";
import { along, box, cylinder, Parts, placed, sphere, vector } from "./parts.js";
import { glyphs } from "./theme.js";

const has = (v) => v && Math.hypot(...v) > 1e-9;

/// Axes of turning and sliding in joint axes.
export function axes_of(joint) {
  const turning = [], sliding = [];
  for (const { linear, angular } of joint.freedoms) {
    if (has(angular)) turning.push(vector(angular).normalize());
    if (has(linear)) sliding.push(vector(linear).normalize());
  }
  return { turning, sliding };
}

export function joint_color(joint) {
  return joint.cut ? glyphs.cut : joint.driven ? glyphs.driven : glyphs.joint;
}

/// { fixed: on the parent at the joint frame, moving: at the child's point, rail: unit length, stretched along its z } each a geometry or null.
export function joint_glyph(joint) {
  const { turning, sliding } = axes_of(joint), r = joint.size, color = joint_color(joint);
  if (joint.type === "distance") return { ends: ball(0.6 * r, color) };
  if (joint.type === "fixed" || joint.freedoms.length === 0) return { fixed: new Parts().add(box(1.3 * r, 1.3 * r, 1.3 * r), color).geometry() };
  if (joint.type === "free" || (turning.length >= 3 && sliding.length >= 3)) return {};
  const moving = new Parts();
  add_turning(moving, turning, r, color);
  if (!sliding.length) return { fixed: moving.geometry() };
  if (sliding.length === 1) {
    const turn = along(sliding[0]);
    if (!turning.length) moving.add(box(1.9 * r, 1.9 * r, 2.4 * r), color, placed(null, turn));
    const rail = new Parts().add(box(0.7 * r, 0.7 * r, 1), glyphs.pin).geometry();
    return { moving: moving.geometry(), rail, turn, axis: sliding[0] };
  }
  const normal = new Vector3().crossVectors(sliding[0], sliding[1]);
  const plate = new Parts().add(box(6 * r, 6 * r, 0.25 * r), glyphs.pin, placed(null, along(normal.lengthSq() > 1e-9 ? normal : new Vector3(0, 0, 1))));
  if (moving.empty) moving.add(box(1.6 * r, 1.6 * r, 1.6 * r), color);
  return { fixed: plate.geometry(), moving: moving.geometry() };
}

function ball(r, color) { return new Parts().add(sphere(r), color).geometry(); }

function add_turning(parts, axes, r, color) {
  if (axes.length === 1) {
    const turn = placed(null, along(axes[0]));
    parts.add(cylinder(0.85 * r, 2.2 * r), color, turn).add(cylinder(0.4 * r, 2.6 * r), glyphs.pin, turn);
  } else if (axes.length === 2) {
    for (const axis of axes) parts.add(cylinder(0.38 * r, 3 * r), color, placed(null, along(axis)));
    parts.add(sphere(0.6 * r), glyphs.pin);
  } else if (axes.length >= 3) {
    parts.add(sphere(r), color);
  }
}
