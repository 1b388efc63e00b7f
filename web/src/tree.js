// The model's hierarchy with a box to show or hide each part; while one searches, a flat list of what was found.
import { element } from "./dom.js";
import { palette } from "./theme.js";

const signs = { body: "◼", joint: "⊙", force: "↔", marker: "•", quantity: "∿" };
const order = ["body", "joint", "force", "marker", "quantity"];
const MOST_FOUND = 150;

export class Tree {
  rows = new Map();  // key -> row
  open = new Set();

  constructor(root, search, app) {
    Object.assign(this, { root, search, app });
    search.addEventListener("input", () => this.build());
    search.addEventListener("keydown", (event) => {
      if (event.key === "Escape") (search.value = ""), this.build();
      if (event.key === "ArrowDown") this.names()[0]?.focus();
      event.stopPropagation();
    });
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("pointerleave", () => app.hover(null));
    this.build();
  }

  build() {
    const query = this.search.value.trim().toLowerCase();
    this.rows.clear();
    this.root.replaceChildren();
    if (query) this.found(query);
    else this.branch(this.app.catalogue.root, this.root, 0);
    const first = this.names()[0];
    if (first) first.tabIndex = 0;
    this.marks();
  }

  // Some levels stand open as long as the list stays short enough to be overlooked.
  is_open(node, depth) {
    if (this.open.has(node.key)) return true;
    if (this.open.has(`closed ${node.key}`)) return false;
    const only = this.app.catalogue.subsystems[node.data.parent]?.children.length === 1;
    return depth === 0 || (depth === 1 && (only || this.app.catalogue.items.length <= 40));
  }

  branch(node, parent, depth) {
    const open = this.is_open(node, depth), row = this.row(node, depth);
    const twisty = element("button", { type: "button", class: "twisty", tabIndex: -1, title: open ? "Fold" : "Unfold", "aria-label": open ? "Fold" : "Unfold", onclick: () => this.fold(node, open) }, open ? "▾" : "▸");
    row.prepend(twisty);
    row.setAttribute("aria-expanded", String(open));
    parent.append(row);
    if (!open) return;
    const group = element("div", { role: "group" });
    for (const child of node.children) this.branch(child, group, depth + 1);
    const items = [...node.items].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    for (const item of items) group.append(this.row(item, depth + 1));
    parent.append(group);
  }

  fold(node, open) {
    this.open.delete(open ? node.key : `closed ${node.key}`);
    this.open.add(open ? `closed ${node.key}` : node.key);
    this.build();
    this.rows.get(node.key)?.querySelector(".name").focus();
  }

  row(item, depth, name = item.name) {
    const { app } = this, hideable = item.kind !== "quantity";
    const box = element("input", {
      type: "checkbox", tabIndex: -1, title: `Show or hide ${item.path || item.name}`, "aria-label": `Show ${item.path || item.name}`,
      checked: !app.world.hidden.has(item.key), onchange: (event) => app.hide(item, !event.target.checked),
    });
    if (!hideable) box.style.visibility = "hidden";
    const text = element("button", {
      type: "button", class: "name", tabIndex: -1, title: `${item.path || item.name}: ${app.catalogue.describe(item)}`,
      onclick: () => app.select(item), onfocus: () => this.focused(text),
    }, name);
    const sign = element("span", { class: `sign ${item.kind}`, "aria-hidden": "true" }, signs[item.kind] ?? "");
    if (item.kind === "body") sign.style.color = app.world.colors[item.index];
    if (item.kind === "joint" && item.data.cut) sign.classList.add("cut");
    if (item.kind === "joint" && item.data.driven) sign.classList.add("driven");
    if (item.kind === "subsystem") {
      const owner = app.scene.bodies.findIndex((body) => body.subsystem === item.index && !body.ground);
      sign.textContent = "";
      if (depth > 0) sign.style.background = owner >= 0 && app.scene.subsystems.length > 1 ? app.world.colors[owner] : palette[8];
      else sign.hidden = true;
    }
    const row = element("div", {
      class: `row ${item.kind}`, role: "treeitem", style: `--depth:${depth}`, "aria-level": String(depth + 1),
      onpointerenter: () => app.hover(item, "tree"),
    }, box, sign, text);
    this.rows.set(item.key, row);
    return row;
  }

  found(query) {
    const { catalogue } = this.app, words = query.split(/\s+/);
    const matches = (text) => words.every((word) => text.toLowerCase().includes(word));
    const items = [...catalogue.subsystems.slice(1), ...catalogue.items].filter((item) => matches(`${item.path} ${catalogue.describe(item)}`));
    for (const item of items.slice(0, MOST_FOUND)) this.root.append(this.row(item, 0, item.path));
    const channels = catalogue.channels.filter((channel) => matches(`${channel.name} ${channel.unit}`));
    if (channels.length) this.root.append(element("div", { class: "caption" }, "Channels: tick to plot"));
    for (const channel of channels.slice(0, MOST_FOUND)) this.root.append(this.app.details.channel_row(channel, channel.name));
    const more = Math.max(0, items.length - MOST_FOUND) + Math.max(0, channels.length - MOST_FOUND);
    if (more) this.root.append(element("div", { class: "caption" }, `and ${more} more`));
    if (!items.length && !channels.length) this.root.append(element("div", { class: "caption" }, "Nothing has this in its name"));
  }

  names() { return [...this.root.querySelectorAll(".name")]; }

  focused(text) {
    for (const name of this.root.querySelectorAll('.name[tabindex="0"]')) name.tabIndex = -1;
    text.tabIndex = 0;
  }

  key(event) {
    const names = this.names(), i = names.indexOf(document.activeElement), row = document.activeElement.closest(".row");
    const open = row?.getAttribute("aria-expanded");
    const steps = { ArrowDown: () => names[i + 1]?.focus(), ArrowUp: () => names[i - 1]?.focus(), Home: () => names[0].focus(), End: () => names.at(-1).focus(),
      ArrowRight: () => open === "false" && row.querySelector(".twisty").click(), ArrowLeft: () => open === "true" && row.querySelector(".twisty").click(),
      " ": () => row?.querySelector("input").click() };
    if (i < 0 || !steps[event.key]) return;
    steps[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  /// Boxes, and what is hovered or selected, as the world has them.
  marks() {
    const { world } = this.app;
    for (const [key, row] of this.rows) {
      const mark = world.marked.get(key);
      row.classList.toggle("hover", mark === "hover");
      row.classList.toggle("selected", this.app.selected?.key === key);
      row.classList.toggle("off", world.hidden.has(key));
      const box = row.querySelector("input");
      if (box.checked === world.hidden.has(key)) box.checked = !world.hidden.has(key);
    }
  }

  reveal(item) {
    if (this.search.value) return;
    let changed = false;
    for (let s = item.kind === "subsystem" ? item.data.parent : item.subsystem; s >= 0; s = this.app.scene.subsystems[s].parent) {
      const { key } = this.app.catalogue.subsystems[s];
      if (!this.open.has(key)) (this.open.add(key), this.open.delete(`closed ${key}`), (changed = true));
    }
    if (changed && !this.rows.has(item.key)) this.build();
    this.rows.get(item.key)?.scrollIntoView({ block: "nearest" });
  }
}
