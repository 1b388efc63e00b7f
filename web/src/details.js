// What is selected: its kind, its channels with their present values, and what can be done with it. Also the words beside the pointer.
import { button, element, toggle } from "./dom.js";
import { number } from "./format.js";

const MOST_IN_TOOLTIP = 12;

export class Details {
  values = new Map();  // element -> channel, of all numbers that follow the time

  constructor(root, tooltip, app) { Object.assign(this, { root, tooltip, app }); }

  show(item) {
    const { app } = this;
    this.root.hidden = !item;
    if (!item) return this.root.replaceChildren();
    const actions = element("div", { class: "actions" });
    if (["body", "marker"].includes(item.kind)) {
      actions.append(toggle("Trace", "Draw the path of this point (t)", app.world.traces.has(item), (on) => app.trace(item, on)),
        toggle("Follow", "The camera moves along with it", app.following?.key === item.key, (on) => app.follow(on ? item : null)));
    }
    if (item.channels.length > 1) actions.append(button(null, "Plot all channels of this part, or none", () => app.plot_all(item.channels), "Plot all"));
    const rows = item.channels.map((channel) => this.channel_row(channel, channel.label));
    this.root.replaceChildren(
      element("header", {}, element("b", { title: item.path }, item.path || item.name), button("close", "Close (Escape)", () => app.select(null))),
      element("div", { class: "kind" }, app.catalogue.describe(item)), actions,
      rows.length ? element("div", { class: "channels" }, ...rows) : element("div", { class: "caption" }, "No channels recorded"));
    this.update();
  }

  channel_row(channel, label) {
    const { app } = this;
    const box = element("input", { type: "checkbox", checked: app.plots.has(channel), title: `Plot ${channel.name}`, onchange: (event) => app.plot(channel, event.target.checked) });
    box.dataset.channel = channel.name;
    const value = element("span", { class: "value" });
    this.values.set(value, channel);
    this.fill(value, channel);
    return element("label", { class: "channel", title: channel.name }, box, element("span", { class: "label" }, label), value, element("span", { class: "unit" }, channel.unit));
  }

  fill(node, channel) {
    const value = this.app.value(channel);
    const text = number(value);
    if (node.textContent !== text) {
      node.textContent = text;
      node.title = String(value ?? "");
    }
  }

  update() {
    for (const [node, channel] of this.values) {
      if (node.isConnected) this.fill(node, channel);
      else this.values.delete(node);
    }
    for (const box of document.querySelectorAll("input[data-channel]")) box.checked = this.app.plots.has(this.app.catalogue.by_channel.get(box.dataset.channel));
  }

  /// Beside the pointer; null hides it.
  point_at(item, x, y) {
    const { tooltip, app } = this;
    tooltip.hidden = !item;
    if (!item) return (this.pointed = null);
    if (this.pointed !== item) {
      this.pointed = item;
      const rows = item.channels.slice(0, MOST_IN_TOOLTIP).flatMap((channel) => {
        const value = element("span", { class: "value" });
        this.values.set(value, channel);
        this.fill(value, channel);
        return [element("span", { class: "label" }, channel.label), value, element("span", { class: "unit" }, channel.unit)];
      });
      const more = item.channels.length - MOST_IN_TOOLTIP;
      tooltip.replaceChildren(element("b", {}, item.path || item.name), element("div", { class: "kind" }, app.catalogue.describe(item)),
        element("div", { class: "table" }, ...rows), more > 0 ? element("div", { class: "kind" }, `and ${more} more`) : "");
    }
    const { offsetWidth: width, offsetHeight: height } = tooltip;
    tooltip.style.left = `${x + 16 + width > innerWidth ? Math.max(4, x - width - 12) : x + 16}px`;
    tooltip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - height - 8))}px`;
  }
}
