// Sliders for the parameters that a live run lets one change.
import { element } from "./dom.js";
import { number } from "./format.js";

const EVERY = 100;  // [ms] between two changes sent

export function range_of({ value, range }) {
  if (range?.length === 2 && range[1] > range[0]) return range;
  return value === 0 ? [-1, 1] : [value / 3, value * 3].sort((a, b) => a - b);
}

export class Parameters {
  rows = new Map();

  constructor(root, parameters, send) {
    root.hidden = !parameters?.length;
    root.replaceChildren(element("div", { class: "caption" }, "Parameters"));
    for (const parameter of parameters ?? []) root.append(this.row(parameter, send));
  }

  row(parameter, send) {
    const [low, high] = range_of(parameter);
    const slider = element("input", { type: "range", min: low, max: high, step: "any", value: parameter.value, title: `${parameter.path}, ${number(low)} to ${number(high)} ${parameter.unit ?? ""}`, "aria-label": parameter.path });
    const field = element("input", { type: "number", step: "any", value: Number(number(parameter.value)), "aria-label": `${parameter.path}, exact value` });
    const row = { slider, field, sent: 0, timer: 0, busy: 0 };
    const change = (value) => {
      row.busy = performance.now();
      const later = () => {
        row.timer = 0;
        row.sent = performance.now();
        send(parameter.path, row.value);
      };
      row.value = value;
      const wait = row.sent + EVERY - performance.now();
      if (wait <= 0) later();
      else row.timer ||= setTimeout(later, wait);
    };
    slider.addEventListener("input", () => {
      field.value = String(Number(number(Number(slider.value), 4)));
      change(Number(field.value));
    });
    field.addEventListener("change", () => {
      if (!Number.isFinite(field.valueAsNumber)) return;
      slider.value = field.value;
      change(field.valueAsNumber);
    });
    field.addEventListener("keydown", (event) => event.stopPropagation());
    this.rows.set(parameter.path, row);
    return element("div", { class: "parameter" }, element("span", { class: "label", title: parameter.path }, parameter.path), field, element("span", { class: "unit" }, parameter.unit ?? ""), slider);
  }

  /// As the program has them, unless one is just being moved.
  show(values) {
    for (const { path, value } of values ?? []) {
      const row = this.rows.get(path);
      if (!row || performance.now() - row.busy < 1000 || document.activeElement === row.field) continue;
      row.slider.value = String(value);
      row.field.value = String(Number(number(value)));
    }
  }
}
