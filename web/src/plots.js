// Curves beside the scene, one pane a unit. The time is linked both ways: the line follows it, dragging in a plot moves it.
import { chart, with_gaps } from "./chart.js";
import { button, element } from "./dom.js";
import { number } from "./format.js";
import { series, when_look_changes } from "./theme.js";

class Pane {
  constructor(plots, unit) {
    Object.assign(this, { plots, unit, channels: [], values: [] });
    this.legend = element("div", { class: "legend" });
    this.node = element("div", { class: "chart" });
    this.box = element("section", { class: "pane", "aria-label": `Plot in ${unit || "numbers"}` }, this.legend, this.node);
    this.line = element("div", { class: "now" });
  }

  data() {
    const { recording } = this.plots.app, { count } = recording;
    return [recording.time.subarray(0, count), ...this.channels.map((channel) => with_gaps(recording.channels[channel.index].subarray(0, count)))];
  }

  build() {
    const { plots } = this;
    this.chart?.destroy();
    this.values = this.channels.map(() => element("span", { class: "value" }));
    this.legend.replaceChildren(...this.channels.map((channel, i) => element("span", { class: "entry" },
      element("i", { style: `background:${plots.color(channel)}` }), element("span", { class: "label", title: channel.name }, channel.name), this.values[i],
      button("close", `Remove ${channel.name}`, () => plots.app.plot(channel, false)))));
    this.legend.append(element("span", { class: "unit", title: this.unit }, this.unit));
    const { width, height } = this.size();
    this.chart = chart({
      node: this.node, width, height, series: this.channels.map((channel) => ({ label: channel.name, color: plots.color(channel) })),
      x_range: () => plots.range(),
      cursor: {
        x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false },
        bind: { mousedown: (u, target, handle) => (event) => event.shiftKey && handle(event), dblclick: () => () => plots.zoom(null) },
      },
      hooks: { setSelect: [(u) => this.selected(u)] },
    }, this.data());
    this.chart.over.append(this.line);
    this.listen(this.chart.over);
    this.update();
  }

  size() {
    return { width: Math.max(120, this.node.clientWidth), height: Math.max(90, this.node.clientHeight) };
  }

  selected(u) {
    const { left, width } = u.select;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (width > 4) this.plots.zoom([u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
  }

  listen(over) {
    const { plots } = this, time_at = (event) => this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
    over.title = "Drag: time.  Wheel or shift + drag: zoom.  Double click: all";
    over.addEventListener("pointerdown", (event) => {
      if (event.shiftKey || event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      plots.app.player.seek(time_at(event));
    });
    over.addEventListener("pointermove", (event) => over.hasPointerCapture(event.pointerId) && plots.app.player.seek(time_at(event)));
    over.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [low, high] = plots.range(), centre = time_at(event), factor = Math.exp(0.0015 * event.deltaY), shift = (event.deltaX / 500) * (high - low);
      plots.zoom([centre + (low - centre) * factor + shift, centre + (high - centre) * factor + shift]);
    }, { passive: false });
  }

  update() {
    const { app } = this.plots, left = this.chart.valToPos(app.player.t, "x"), width = this.chart.over.clientWidth;
    this.line.style.transform = `translateX(${left}px)`;
    this.line.hidden = !(left >= -1 && left <= width + 1);
    this.channels.forEach((channel, i) => {
      const text = number(app.value(channel));
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }

  refresh() {
    this.chart.setData(this.data(), false);
    const [min, max] = this.plots.range();
    this.chart.setScale("x", { min, max });
  }
}

export class Plots {
  panes = new Map();
  colors = new Map();
  window = null;  // of time, when zoomed

  constructor(root, app) {
    Object.assign(this, { root, app });
    this.list = element("div", { class: "panes" });
    this.hint = element("div", { class: "empty" }, "Nothing plotted. Click a part in the scene or in the list, then tick its channels.");
    root.append(element("header", {}, element("b", {}, "Plots"), element("span", { class: "spring" }),
      button(null, "Show all of the time again (double click)", () => this.zoom(null), "All time"),
      button(null, "Remove all curves", () => this.clear(), "Clear"), button("close", "Close the plots (p)", () => app.show_plots(false))), this.hint, this.list);
    this.sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => this.resize(target)));
    when_look_changes(() => this.rebuild());
  }

  has(channel) { return Boolean(channel && this.panes.get(channel.unit)?.channels.includes(channel)); }

  color(channel) {
    if (!this.colors.has(channel.name)) {
      const used = [...this.panes.values()].flatMap((pane) => pane.channels).map((other) => this.colors.get(other.name));
      this.colors.set(channel.name, series.find((color) => !used.includes(color)) ?? series[this.colors.size % series.length]);
    }
    return this.colors.get(channel.name);
  }

  toggle(channels, on) {
    for (const channel of channels) {
      if (on === this.has(channel)) continue;
      if (on && !this.panes.has(channel.unit)) {
        const pane = new Pane(this, channel.unit);
        this.panes.set(channel.unit, pane);
        this.list.append(pane.box);
        this.sizes.observe(pane.node);
      }
      const pane = this.panes.get(channel.unit);
      if (on) pane.channels.push(channel);
      else {
        pane.channels.splice(pane.channels.indexOf(channel), 1);
        this.colors.delete(channel.name);
      }
    }
    for (const [unit, pane] of this.panes) {
      if (pane.channels.length) continue;
      pane.chart?.destroy();
      this.sizes.unobserve(pane.node);
      pane.box.remove();
      this.panes.delete(unit);
    }
    this.hint.hidden = this.panes.size > 0;
    this.rebuild();
  }

  clear() { this.app.plot_none(); }

  /// The same curves of a scene read anew.
  replace(channels) {
    for (const pane of this.panes.values()) pane.channels = channels.filter((channel) => channel.unit === pane.unit);
    this.rebuild();
  }

  channels() { return [...this.panes.values()].flatMap((pane) => pane.channels); }

  rebuild() {
    if (this.root.hidden) return;
    for (const pane of this.panes.values()) pane.build();
  }

  resize(node) {
    const pane = [...this.panes.values()].find((candidate) => candidate.node === node);
    if (this.root.hidden || !pane?.chart) return;
    pane.chart.setSize(pane.size());
    pane.update();
  }

  range() {
    const { recording } = this.app;
    if (this.window) return this.window;
    return recording.end > recording.start ? [recording.start, recording.end] : [recording.start, recording.start + 1];
  }

  zoom(window) {
    const { recording } = this.app;
    if (window) {
      const low = Math.max(recording.start, window[0]), high = Math.min(recording.end, window[1]);
      if (!(high - low > 1e-9 * Math.max(1, Math.abs(high)))) return;
      window = low <= recording.start && high >= recording.end ? null : [low, high];
    }
    this.window = window;
    const [min, max] = this.range();
    for (const pane of this.panes.values()) {
      pane.chart?.setScale("x", { min, max });
      pane.update();
    }
  }

  update() {
    if (this.root.hidden) return;
    const { player } = this.app;
    if (this.window && (player.playing || player.live)) {  // the window goes along with the time
      const [low, high] = this.window, span = high - low;
      if (player.t > high || player.t < low) this.zoom(player.t > high ? [player.t - 0.1 * span, player.t + 0.9 * span] : [player.t, player.t + span]);
    }
    for (const pane of this.panes.values()) if (pane.chart) pane.update();
  }

  /// Frames were added.
  refresh() {
    if (this.root.hidden) return;
    for (const pane of this.panes.values()) if (pane.chart) pane.refresh();
  }
}
