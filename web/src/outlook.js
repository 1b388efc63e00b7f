// Where to look from at the start, and how far the model goes.
import { Box3, Quaternion, Vector3 } from "three";
import { axes_of } from "./glyphs.js";
import { quaternion } from "./parts.js";

/// The common axis of all turning joints when the mechanism is planar, otherwise null.
function common_axis(world) {
  let axis = null;
  for (const joint of world.scene.joints) {
    const turn = world.turn_of(joint.parent, new Quaternion()).multiply(quaternion(joint.rotation));
    const { turning, sliding } = axes_of(joint);
    if (turning.length > 1 || (turning.length && sliding.length)) return null;
    for (const direction of turning) {
      const own = direction.clone().applyQuaternion(turn);
      axis ??= own;
      if (Math.abs(axis.dot(own)) < 0.999) return null;
    }
  }
  return axis;
}

/// From the target to the camera: along the axis of a planar mechanism, slightly turned; otherwise from the side in front and above.
export function direction(world, up, turn) {
  const axis = common_axis(world);
  if (axis && Math.abs(axis.dot(up)) < 0.3) {
    const side = new Vector3().crossVectors(up, axis).normalize();
    const sign = axis.dot(new Vector3(0.3, -1, 0.1).applyQuaternion(turn)) < 0 ? -1 : 1;
    return axis.clone().multiplyScalar(sign).addScaledVector(side, 0.38 * sign).addScaledVector(up, 0.3);
  }
  return new Vector3(0.95, -1.25, 0.62).applyQuaternion(turn);
}

/// Boxes of the bodies' places at the first frame and at all, and how far their middle wanders.
export function travel(world) {
  const { recording, scene } = world, first = new Box3(), all = new Box3(), p = new Vector3();
  const step = Math.max(1, Math.floor(recording.count / 120)), items = world.catalogue.items.filter((item) => item.kind === "body" && !item.data.ground);
  for (let i = 0; i < recording.count; i += step) {
    for (const item of items) {
      world.place(item, p, recording.poses, i * recording.widths.poses);
      if (!Number.isFinite(p.x + p.y + p.z)) continue;
      all.expandByPoint(p);
      if (i === 0) first.expandByPoint(p);
    }
  }
  if (first.isEmpty()) return { first, all, far: false };
  const size = Math.max(scene.length, first.getSize(p).length());
  return { first, all, far: all.getSize(p).length() > 3 * size };
}

export function heaviest(world) {
  const bodies = world.catalogue.items.filter((item) => item.kind === "body" && !item.data.ground);
  return bodies.reduce((best, item) => (!best || item.data.mass > best.data.mass ? item : best), null);
}
