// One pane of curves with uPlot, as both pages use it.
import uPlot from "uplot";
import { number } from "./format.js";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/// uPlot takes gaps as null.
export function with_gaps(values) {
  for (let i = 0; i < values.length; ++i) if (!Number.isFinite(values[i])) return Array.from(values, (v) => (Number.isFinite(v) ? v : null));
  return values;
}

// Room above and below; a curve that only wavers in its last digits is drawn as the constant it is.
function y_range(u, low, high) {
  if (low === null || high === null || !Number.isFinite(low)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high)), span = high - low;
  if (span <= 1e-9 * size || span === 0) return size > 0 ? [Math.min(0, 2 * low), Math.max(0, 2 * high)] : [-1, 1];
  return [low - 0.07 * span, high + 0.07 * span];
}

// As many digits as tell one tick from the next, whatever the numbers have in common.
function tick_texts(u, ticks, axis, space, increment) {
  const largest = Math.max(...ticks.map(Math.abs));
  const digits = largest > 0 && increment > 0 ? Math.floor(Math.log10(largest) + 1e-9) - Math.floor(Math.log10(increment) + 1e-9) + 1 : 6;
  const exact = Math.min(15, Math.max(digits, 1));
  return ticks.map((v) => number(Math.abs(v) < 1e-9 * increment ? 0 : v, Math.max(exact - Math.max(0, Math.floor(Math.log10(largest / (Math.abs(v) || largest)) + 1e-9)), 1)));
}

/// options: { node, width, height, series: [{label, color}], label of y, x_label, cursor, hooks }
export function chart(options, data) {
  const ink = css("--ink-soft"), rule = css("--rule"), font = "11px system-ui, sans-serif";
  const axis = { stroke: ink, font, grid: { stroke: rule, width: 1 }, ticks: { show: false } };
  return new uPlot({
    width: options.width, height: options.height, legend: { show: false }, padding: [8, 12, 0, 0],
    cursor: options.cursor, hooks: options.hooks ?? {},
    scales: { x: { time: false, range: options.x_range }, y: { range: y_range } },
    axes: [
      { ...axis, size: 24, gap: 3, label: options.x_label, labelSize: 14, labelFont: font, labelGap: 0, values: tick_texts },
      { ...axis, size: (u, texts) => Math.max(58, 7 * Math.max(0, ...(texts ?? []).map((text) => text.length)) + 16), gap: 6, label: options.label || undefined, labelSize: 16, labelFont: font, labelGap: 0, values: tick_texts },
    ],
    series: [{}, ...options.series.map(({ label, color }) => ({ label, stroke: color, width: 1.5, pxAlign: 0, points: { show: false } }))],
  }, data, options.node);
}
