// What was recorded: times, channels by columns (for plots), poses and loads by rows (for the picture). Grows in live mode.

const LARGEST = 20000;           // frames kept
const LARGEST_BYTES = 256 << 20; // of memory kept

export class Recording {
  constructor(scene) {
    this.count = 0;
    this.widths = { poses: 7 * scene.bodies.length, loads: 0, channels: scene.channels.length };
    this.widths.loads = 6 * (scene.joints.length + scene.forces.reduce((sum, force) => sum + force.handles.length, 0));
    this.reserve(0);
  }

  static from_blocks(scene, blocks) {
    const recording = new Recording(scene), { widths } = recording;
    const count = blocks.time[0].length;
    recording.reserve(count);
    recording.count = count;
    recording.time.set(blocks.time[0]);
    recording.channels = blocks.channels ?? [];
    for (const name of ["poses", "loads"]) {
      const width = widths[name], rows = recording[name], columns = blocks[name] ?? [];
      for (let c = 0; c < columns.length; ++c) for (let i = 0, to = c, from = columns[c]; i < count; ++i, to += width) rows[to] = from[i];
    }
    return recording;
  }

  reserve(capacity) {
    const grown = (old, Values, size) => {
      const array = new Values(size);
      if (old) array.set(old.subarray(0, Math.min(old.length, size)));
      return array;
    };
    this.capacity = capacity;
    this.time = grown(this.time, Float64Array, capacity);
    this.poses = grown(this.poses, Float32Array, capacity * this.widths.poses);
    this.loads = grown(this.loads, Float32Array, capacity * this.widths.loads);
    this.channels = Array.from({ length: this.widths.channels }, (_, c) => grown(this.channels?.[c], Float64Array, capacity));
  }

  clear() { this.count = 0; }

  get row_bytes() { return 8 + 8 * this.widths.channels + 4 * (this.widths.poses + this.widths.loads); }

  /// One binary message of the live server; false when it is not a frame of this scene.
  append(buffer) {
    const { poses, loads, channels } = this.widths;
    if (buffer.byteLength !== this.row_bytes) return false;
    const head = new Float64Array(buffer, 0, 1 + channels), t = head[0];
    if (this.count && t <= this.time[this.count - 1]) {
      if (t < this.time[this.count - 1]) this.clear();
      else --this.count;
    }
    this.make_room();
    const i = this.count++;
    this.time[i] = t;
    for (let c = 0; c < channels; ++c) this.channels[c][i] = head[1 + c];
    this.poses.set(new Float32Array(buffer, 8 * (1 + channels), poses), i * poses);
    this.loads.set(new Float32Array(buffer, 8 * (1 + channels) + 4 * poses, loads), i * loads);
    return true;
  }

  // The oldest quarter goes when the bound is met, so that moving is rare.
  make_room() {
    if (this.count < this.capacity) return;
    const bound = Math.max(100, Math.min(LARGEST, Math.floor(LARGEST_BYTES / this.row_bytes)));
    if (this.capacity < bound) return this.reserve(Math.min(bound, Math.max(256, 2 * this.capacity)));
    const drop = this.count >> 2;
    this.time.copyWithin(0, drop);
    this.poses.copyWithin(0, drop * this.widths.poses);
    this.loads.copyWithin(0, drop * this.widths.loads);
    for (const column of this.channels) column.copyWithin(0, drop);
    this.count -= drop;
  }

  get start() { return this.count ? this.time[0] : 0; }
  get end() { return this.count ? this.time[this.count - 1] : 0; }

  /// The last frame at or before t.
  before(t) {
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /// The frame whose numbers are shown at t.
  nearest(t) {
    const i = this.before(t);
    return i + 1 < this.count && this.time[i + 1] - t < t - this.time[i] ? i + 1 : i;
  }

  /// Poses at t into `out`: between two frames straight lines and the shorter turn, so that slow motion is smooth.
  /// Without frames `out` stays as it is.
  poses_at(t, out) {
    const width = this.widths.poses, rows = this.poses;
    if (!this.count) return;
    const i = this.before(t), a = i * width;
    const s = i + 1 < this.count ? Math.min(1, Math.max(0, (t - this.time[i]) / (this.time[i + 1] - this.time[i]))) : 0;
    if (s === 0) {
      for (let k = 0; k < width; ++k) out[k] = rows[a + k];
      return;
    }
    for (let b = 0; b < width; b += 7) {
      const p = a + b, q = p + width;
      for (let k = 0; k < 3; ++k) out[b + k] = rows[p + k] + s * (rows[q + k] - rows[p + k]);
      let dot = 0, norm = 0;
      for (let k = 3; k < 7; ++k) dot += rows[p + k] * rows[q + k];
      const to = dot < 0 ? -s : s;
      for (let k = 3; k < 7; ++k) norm += (out[b + k] = (1 - s) * rows[p + k] + to * rows[q + k]) ** 2;
      for (let k = 3; k < 7; ++k) out[b + k] /= Math.sqrt(norm) || 1;
    }
  }
}
