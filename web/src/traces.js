// Paths of points through all frames: the whole path pale, the part up to the present time strong.
import { Color, Group } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { series } from "./theme.js";

const MOST_POINTS = 4000;

export class Traces {
  group = new Group();
  lines = new Map();

  constructor(world, recording) { Object.assign(this, { world, recording }); }

  has(item) { return this.lines.has(item.key); }

  toggle(item, on) {
    if (on === this.has(item)) return;
    if (!on) return this.remove(item.key);
    const used = new Set([...this.lines.values()].map((line) => line.color));
    const color = series.find((candidate) => !used.has(candidate)) ?? series[this.lines.size % series.length];
    const whole = new Line2(new LineGeometry(), new LineMaterial({ color: new Color(color), linewidth: 1.5, transparent: true, opacity: 0.28, depthWrite: false }));
    const past = new Line2(new LineGeometry(), new LineMaterial({ color: new Color(color), linewidth: 2.5 }));
    whole.frustumCulled = past.frustumCulled = false;
    this.lines.set(item.key, { item, whole, past, color, frames: 0 });
    this.group.add(whole, past);
  }

  remove(key) {
    const { whole, past } = this.lines.get(key);
    this.lines.delete(key);
    for (const line of [whole, past]) {
      this.group.remove(line);
      line.geometry.dispose();
      line.material.dispose();
    }
  }

  build(line) {
    const { recording, world } = this, step = Math.max(1, Math.ceil(recording.count / MOST_POINTS));
    const count = Math.ceil(recording.count / step), positions = new Float32Array(3 * Math.max(2, count));
    for (let i = 0; i < count; ++i) world.path_point(line.item, i * step, positions, 3 * i);
    if (count === 1) positions.copyWithin(3, 0, 3);
    for (const object of [line.whole, line.past]) {
      object.geometry.dispose();
      object.geometry = new LineGeometry().setPositions(positions);
    }
    Object.assign(line, { frames: recording.count, first: recording.start, step });
  }

  update(frame) {
    for (const line of this.lines.values()) {
      const { count, start } = this.recording, more = count - line.frames;
      line.whole.visible = line.past.visible = count > 0;
      if (!count) continue;
      if (more < 0 || more > 0.01 * line.frames || start !== line.first) this.build(line);  // a growing path is laid anew now and then
      line.past.geometry.instanceCount = Math.min(Math.floor(frame / line.step), Math.ceil(line.frames / line.step) - 1);
    }
  }

  dispose() { for (const key of [...this.lines.keys()]) this.remove(key); }
}
