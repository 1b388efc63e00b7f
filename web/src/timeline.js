// The bar below: play, step, scrub, speed, loop; in live mode pause, restart and the way back to now.
import { button, element, icon } from "./dom.js";
import { seconds } from "./format.js";

const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Timeline {
  constructor(bar, app) {
    const { player } = app;
    Object.assign(this, { app, player });
    this.play = button("play", "Play or pause (space)", () => app.toggle_play());
    this.play.classList.add("main");
    this.live = element("button", { type: "button", class: "live", title: "Show what is computed now", hidden: true, onclick: () => player.go_live() }, "live");
    this.restart = button("restart", "Restart from t = 0", () => app.live?.send({ type: "restart" }));
    this.restart.hidden = true;
    this.scrub = element("input", { type: "range", min: 0, max: 1, step: "any", value: 0, class: "scrub", title: "Time", "aria-label": "Time" });
    this.scrub.addEventListener("input", () => player.seek(Number(this.scrub.value)));
    this.clock = element("output", { class: "clock", title: "Present time, and the end" });
    this.speed = element("select", { title: "Speed of playing ([ slower, ] faster)", "aria-label": "Speed" });
    for (const speed of speeds) this.speed.append(element("option", { value: String(speed), selected: speed === 1 }, `${speed}×`));
    this.speed.addEventListener("change", () => app.set_speed(Number(this.speed.value)));
    this.loop = element("button", { type: "button", class: "button icon", title: "Play again from the start at the end (l)", "aria-label": "Loop", "aria-pressed": "true", onclick: () => this.toggle_loop() }, icon("loop"));
    this.start = button("start", "To the start (Home)", () => player.seek(app.recording.start));
    bar.append(this.start, button("back", "One frame back (left arrow)", () => player.step(-1)), this.play,
      button("ahead", "One frame ahead (right arrow)", () => player.step(1)), this.restart, this.scrub, this.clock, this.live, this.speed, this.loop);
    player.addEventListener("state", () => this.state());
  }

  toggle_loop() {
    this.player.loop = !this.player.loop;
    this.loop.setAttribute("aria-pressed", String(this.player.loop));
  }

  faster(by) {
    const i = speeds.indexOf(this.player.speed);
    this.show_speed(speeds[Math.min(speeds.length - 1, Math.max(0, i + by))]);
    this.app.set_speed(Number(this.speed.value));
  }

  show_speed(speed) {
    if (!speeds.includes(speed) && ![...this.speed.options].some((option) => Number(option.value) === speed)) {
      this.speed.append(element("option", { value: String(speed) }, `${speed}×`));
    }
    this.speed.value = String(speed);
  }

  /// Live mode has other buttons.
  attach() {
    this.live.hidden = this.restart.hidden = false;
    this.loop.hidden = this.start.hidden = true;
  }

  state() {
    const { player, app } = this, running = player.playing || (player.live && app.live?.running);
    this.play.replaceChildren(icon(running ? "pause" : "play"));
    this.play.setAttribute("aria-pressed", String(Boolean(running)));
    this.live.setAttribute("aria-pressed", String(player.live));
  }

  update() {
    const { player, scrub } = this, { recording, scene } = this.app;
    const end = player.attached ? Math.max(recording.end, scene.until ?? 0) : recording.end;
    const step = recording.count > 1 ? (recording.end - recording.start) / (recording.count - 1) : 0.01;
    if (scrub.max !== String(end)) scrub.max = String(end);
    if (scrub.min !== String(recording.start)) scrub.min = String(recording.start);
    scrub.value = String(player.t);
    scrub.style.setProperty("--known", `${end > recording.start ? (100 * (recording.end - recording.start)) / (end - recording.start) : 0}%`);
    const known = end > recording.start ? (100 * (player.t - recording.start)) / (end - recording.start) : 0;
    scrub.style.setProperty("--done", `${known}%`);
    const text = `${seconds(player.t, step)} / ${seconds(end, step)} s`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
  }
}
