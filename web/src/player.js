// The present time: playing, seeking, stepping. Says `change` to whoever listens.

export class Player extends EventTarget {
  t = 0;
  speed = 1;
  loop = true;
  playing = false;
  live = false;      // shows the newest frame
  attached = false;  // a live server sends frames

  constructor(recording) {
    super();
    this.recording = recording;
    this.t = recording.start;
  }

  changed() { this.dispatchEvent(new Event("change")); }
  state() { this.dispatchEvent(new Event("state")); }

  get frame() { return this.recording.nearest(this.t); }

  seek(t) {
    this.live = false;
    this.t = Math.min(this.recording.end, Math.max(this.recording.start, Number(t) || 0));
    this.changed();
    this.state();
  }

  /// To the next frame, or to the one before.
  step(direction) {
    this.pause();
    const { recording } = this, here = recording.before(this.t), between = recording.time[here] < this.t;
    const frame = direction > 0 ? here + 1 : between ? here : here - 1;
    if (recording.count) this.seek(recording.time[Math.min(recording.count - 1, Math.max(0, frame))]);
  }

  play() {
    if (this.playing) return;
    if (this.t >= this.recording.end && !this.attached) this.t = this.recording.start;
    this.playing = true;
    this.state();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.state();
  }

  go_live() {
    this.live = true;
    this.playing = false;
    this.arrived();
    this.state();
  }

  /// New frames have come.
  arrived() {
    if (this.live) this.t = this.recording.end;
    else this.t = Math.max(this.t, this.recording.start);
    this.changed();
  }

  tick(seconds) {
    if (!this.playing) return;
    this.t += seconds * this.speed;
    const { start, end } = this.recording;
    if (this.t >= end) {
      if (this.attached) return this.go_live();
      if (this.loop && end > start) this.t = start + ((this.t - start) % (end - start));
      else {
        this.t = end;
        this.pause();
      }
    }
    this.changed();
  }
}
