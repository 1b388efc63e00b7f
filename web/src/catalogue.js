// The scene's hierarchy: subsystems with their items, and to each the channels that belong to it.
import { number } from "./format.js";

const parents = (name) => {
  const parts = name.split(".");
  return Array.from({ length: parts.length }, (_, i) => parts.slice(0, parts.length - i).join("."));
};

export class Catalogue {
  constructor(scene) {
    this.scene = scene;
    this.subsystems = scene.subsystems.map((data, index) => ({
      kind: "subsystem", key: `subsystem ${data.path}`, path: data.path, name: short_name(data, scene), index, data, children: [], items: [], channels: [],
    }));
    for (const node of this.subsystems) if (node.data.parent >= 0) this.subsystems[node.data.parent].children.push(node);
    this.root = this.subsystems[0];
    this.items = [];
    this.by_path = new Map(this.subsystems.map((node) => [node.path, node]));
    const lists = { body: scene.bodies, joint: scene.joints, force: scene.forces, marker: scene.markers };
    for (const [kind, list] of Object.entries(lists)) list.forEach((data, index) => this.add(kind, data, index));
    this.channels = scene.channels.map((channel, index) => ({ ...channel, index }));
    this.by_channel = new Map(this.channels.map((channel) => [channel.name, channel]));
    for (const channel of this.channels) this.assign(channel);
  }

  add(kind, data, index) {
    const home = this.subsystems[data.subsystem] ?? this.root;
    const name = home.path && data.path.startsWith(home.path + ".") ? data.path.slice(home.path.length + 1) : data.path;
    const item = { kind, key: `${kind} ${data.path}`, path: data.path, name, subsystem: home.index, index, data, channels: [] };
    this.items.push(item);
    home.items.push(item);
    if (!this.by_path.has(item.path) || this.by_path.get(item.path).kind === "subsystem") this.by_path.set(item.path, item);
    return item;
  }

  // A channel belongs to the longest path it begins with; energy, momentum and the like become items of the whole model.
  assign(channel) {
    const path = parents(channel.name).slice(1).find((candidate) => this.by_path.has(candidate));
    let owner = this.by_path.get(path ?? "");
    if (path === undefined || owner.kind === "subsystem") {
      const prefix = owner.path ? owner.path.length + 1 : 0;
      const end = channel.name.indexOf(".", prefix);
      const own = end > 0 ? channel.name.slice(0, end) : channel.name;
      owner = this.by_path.get(own) ?? this.add("quantity", { path: own, subsystem: owner.index ?? 0 }, -1);
    }
    channel.label = channel.name.startsWith(owner.path + ".") ? channel.name.slice(owner.path.length + 1) : channel.name;
    channel.owner = owner;
    owner.channels.push(channel);
  }

  item(path) { return this.by_path.get(path); }

  describe(item) {
    const { data, kind } = item;
    if (kind === "subsystem") return data.parent < 0 ? "model" : `subsystem${data.name ? ` ${data.name}` : ""}`;
    if (kind === "body") return data.ground ? "ground" : `body, ${number(data.mass, 4)} kg`;
    if (kind === "joint") return `${data.type} joint${data.cut ? ", closes a loop" : ""}${data.driven ? ", driven" : ""}`;
    if (kind === "force") return `${data.type.replaceAll("_", " ")}`;
    return kind === "marker" ? `marker on ${this.scene.bodies[data.body]?.path ?? "?"}` : "quantity";
  }
}

function short_name(data, scene) {
  if (data.parent < 0) return data.name || scene.name;
  const above = scene.subsystems[data.parent].path;
  return above && data.path.startsWith(above + ".") ? data.path.slice(above.length + 1) : data.path;
}
