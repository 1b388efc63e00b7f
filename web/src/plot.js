// The plot page: panes one below the other over the same x, with one cursor. Dragging zooms, a double click shows all.
import uPlot from "uplot";
import { chart } from "./chart.js";
import { json_element } from "./decode.js";
import { element } from "./dom.js";
import { number } from "./format.js";
import { series, when_look_changes } from "./theme.js";

const root = document.getElementById("plots");
const charts = [];
const sync = uPlot.sync("x");

function span(values) {
  const known = values.filter((value) => value !== null);
  if (!known.length) return [0, 1];
  let low = Infinity, high = -Infinity;
  for (const value of known) (low = Math.min(low, value)), (high = Math.max(high, value));
  return high > low ? [low, high] : [low - 0.5, low + 0.5];
}

function pane(data, index, all, page) {
  const last = index === all.length - 1, hidden = new Set();
  const values = data.series.map(() => element("span", { class: "value" }));
  const colors = data.series.map((_, i) => series[i % series.length]);
  const entries = data.series.map((one, i) => {
    const entry = element("span", { class: "entry" }, element("button", { type: "button", title: `Show or hide ${one.name}`, "aria-pressed": "true", onclick: () => {
      const off = !hidden.has(i);
      off ? hidden.add(i) : hidden.delete(i);
      entry.classList.toggle("off", off);
      entry.firstChild.setAttribute("aria-pressed", String(!off));
      state.chart.setSeries(i + 1, { show: !off });
    } }, element("i", { style: `background:${colors[i]}` }), element("span", { class: "label", title: one.name }, one.name)), values[i]);
    return entry;
  });
  const label = data.label ?? data.series[0]?.unit ?? "";
  const node = element("div", { class: "chart" });
  root.append(element("section", { class: "pane" }, element("div", { class: "legend" }, ...entries, element("span", { class: "unit", title: label }, label)), node));
  const state = { node, chart: null };
  const read = (u) => {
    const i = u.cursor.idx;
    values.forEach((value, k) => (value.textContent = i === null || i === undefined ? "" : number(data.series[k].y[i])));
  };
  state.height = () => Math.max(170, Math.min(420, (innerHeight - 90) / all.length - 24)) + (last ? 16 : 0);
  state.build = () => {
    state.chart?.destroy();
    state.chart = chart({
      node, width: Math.max(200, node.clientWidth), height: state.height(), x_label: last ? page.x.label : undefined,
      series: data.series.map((one, i) => ({ label: one.name, color: colors[i] })), x_range: () => page.window ?? page.span,
      cursor: {
        y: false, points: { size: 6 }, drag: { x: true, y: false, setScale: false }, sync: { key: sync.key, setSeries: false },
        bind: { dblclick: () => () => zoom(page, null) },
      },
      hooks: { setCursor: [read], setSelect: [(u) => {
        const { left, width } = u.select;
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        if (width > 4) zoom(page, [u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
      }] },
    }, [page.x.values, ...data.series.map((one) => one.y)]);
    for (const i of hidden) state.chart.setSeries(i + 1, { show: false });
  };
  charts.push(state);
  state.build();
}

function zoom(page, window) {
  page.window = window;
  const [min, max] = window ?? page.span;
  for (const { chart } of charts) chart.setScale("x", { min, max });
}

function start() {
  const page = json_element("arthron-plot");
  if (!page) return root.append(element("p", {}, "There is nothing to plot in this page: it is made by \"arthron plot\"."));
  document.title = page.title || "Arthron";
  page.span = span(page.x.values);
  root.append(element("h1", {}, page.title || ""), element("p", { class: "hint" }, "Drag to zoom, double click to show all, click a name to hide its curve"));
  page.panes.forEach((one, i) => pane(one, i, page.panes, page));
  const resize = () => charts.forEach(({ chart, node, height }) => chart.setSize({ width: Math.max(200, node.clientWidth), height: height() }));
  new ResizeObserver(resize).observe(root);
  when_look_changes(() => charts.forEach((state) => state.build()));
  // Paper is narrower than the window, and white.
  matchMedia("print").addEventListener("change", () => charts.forEach((state) => state.build()));
  window.arthron = { ready: Promise.resolve(), charts: charts.length, zoom: (low, high) => zoom(page, [low, high]), window: () => page.window ?? page.span };
}

start();
