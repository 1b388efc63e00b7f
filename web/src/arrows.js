// Loads as arrows: four draw calls for all of them. Lengths go with the square root, so that small loads are seen beside large ones.
import { Color, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { cone, cylinder } from "./parts.js";
import { arrows as colors } from "./theme.js";

const Z = new Vector3(0, 0, 1), direction = new Vector3(), at = new Vector3(), scale = new Vector3(), turn = new Quaternion(), matrix = new Matrix4();
const NOTHING = new Matrix4().makeScale(0, 0, 0);

/// Largest load a column of six, over the recording: 95 % of them are below the reference.
function typical(recording, columns) {
  const largest = [];
  const { loads: width } = recording.widths, step = Math.max(1, Math.floor(recording.count / 400));
  for (const column of columns) {
    let most = 0;
    for (let i = 0; i < recording.count; i += step) {
      const k = i * width + column;
      most = Math.max(most, Math.hypot(recording.loads[k], recording.loads[k + 1], recording.loads[k + 2]) || 0);
    }
    if (most > 0) largest.push(most);
  }
  largest.sort((a, b) => a - b);
  return largest.length ? largest[Math.floor(0.95 * (largest.length - 1))] : 0;
}

class Kind {
  constructor(entries, color, offset, length) {
    Object.assign(this, { entries, offset, length, reference: 0 });
    const material = new MeshBasicMaterial({ color: new Color(color), depthTest: false, transparent: true, opacity: 0.9 });
    const geometries = [cylinder(1, 1, 8).translate(0, 0, 0.5), cone(1, 1, 12).translate(0, 0, 0.5)];
    this.meshes = geometries.map((geometry) => {
      const mesh = new InstancedMesh(geometry, material, entries.length * (offset ? 2 : 1));
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      return mesh;
    });
    this.used = 0;
  }

  put(length, width, shift) {
    const head = Math.min(4.5 * width, 0.5 * length);
    matrix.compose(at, turn, scale.set(width, width, length - head));
    this.meshes[0].setMatrixAt(this.used, shift ? NOTHING : matrix);
    at.addScaledVector(direction, length - head - shift);
    matrix.compose(at, turn, scale.set(2.6 * width, 2.6 * width, head));
    this.meshes[1].setMatrixAt(this.used++, matrix);
    at.addScaledVector(direction, head - length + shift);
  }

  update(world, row, loads, factor) {
    this.used = 0;
    for (const { item, column, body, point } of this.entries) {
      if (!world.wanted(item)) continue;
      const k = row + column + this.offset;
      direction.set(loads[k], loads[k + 1], loads[k + 2]);
      const size = direction.length();
      if (!(size > 1e-4 * this.reference) || !Number.isFinite(size)) continue;
      const length = this.length * factor * Math.sqrt(size / this.reference);
      turn.setFromUnitVectors(Z, direction.divideScalar(size));
      world.point(body, point, at);
      this.put(length, 0.014 * this.length, 0);
      if (this.offset) this.put(length, 0.014 * this.length, 0.06 * this.length);  // a turning load has two heads
    }
    for (const mesh of this.meshes) {
      mesh.count = this.used;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

export class Arrows {
  group = new Group();
  factor = 1;
  shown = { forces: false, reactions: false };

  constructor(world, recording) {
    const { scene, items } = world.catalogue, length = 0.17 * scene.length;
    Object.assign(this, { world, recording });
    const joints = [], handles = [];  // what acts on a ground is the same the other way round, and left out
    const item_of = (kind, index) => items.find((item) => item.kind === kind && item.index === index);
    scene.joints.forEach((joint, j) => joints.push({ item: item_of("joint", j), column: 6 * j, body: joint.child, point: joint.at_child ?? [0, 0, 0] }));
    let column = 6 * scene.joints.length;
    scene.forces.forEach((force, f) => {
      for (const handle of force.handles) {
        if (!scene.bodies[handle.body].ground) handles.push({ item: item_of("force", f), column, body: handle.body, point: handle.at });
        column += 6;
      }
    });
    this.kinds = {
      forces: [new Kind(handles, colors.force, 0, length), new Kind(handles, colors.torque, 3, 0.7 * length)],
      reactions: [new Kind(joints, colors.reaction, 0, length), new Kind(joints, colors.moment, 3, 0.7 * length)],
    };
    for (const kind of Object.values(this.kinds).flat()) this.group.add(...kind.meshes);
    this.measure();
  }

  /// References of the lengths; forces and reactions share one, so that they can be compared. So do torques and moments.
  measure() {
    for (const i of [0, 1]) {
      const pair = [this.kinds.forces[i], this.kinds.reactions[i]];
      const reference = Math.max(...pair.map((kind) => typical(this.recording, kind.entries.map((entry) => entry.column + kind.offset))));
      for (const kind of pair) kind.reference = reference;
    }
    this.measured = this.recording.count;
  }

  update(frame) {
    if (!this.recording.count) return;
    if (this.recording.count > 2 * this.measured || this.recording.count < this.measured) this.measure();
    for (const [name, kinds] of Object.entries(this.kinds)) {
      for (const kind of kinds) {
        for (const mesh of kind.meshes) mesh.visible = this.shown[name];
        if (this.shown[name] && kind.reference > 0) kind.update(this.world, frame * this.recording.widths.loads, this.recording.loads, this.factor);
        else if (kind.reference === 0) for (const mesh of kind.meshes) mesh.visible = false;
      }
    }
  }

  dispose() {
    for (const kind of Object.values(this.kinds).flat()) {
      for (const mesh of kind.meshes) {
        mesh.geometry.dispose();
        mesh.material.dispose();
        mesh.dispose();
      }
    }
  }
}
