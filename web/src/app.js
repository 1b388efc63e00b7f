// Ties everything together: what one part of the page does to the others goes through here.
import { Vector3 } from "three";
import { channels_named } from "./address.js";
import { Catalogue } from "./catalogue.js";
import { Details } from "./details.js";
import { element, toast } from "./dom.js";
import { direction, heaviest, travel } from "./outlook.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { expect } from "./quality.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { Toolbar } from "./toolbar.js";
import { Tree } from "./tree.js";
import { World } from "./world.js";

const $ = (id) => document.getElementById(id);
const shift = new Vector3(), place = new Vector3();

export class App {
  selected = null;
  hovered = null;
  following = null;

  constructor(scene, recording, meshes) {
    Object.assign(this, { scene, recording, meshes, catalogue: new Catalogue(scene) });
    expect(scene);
    this.world = new World(this.catalogue, recording, meshes);
    this.stage = new Stage($("canvas"), scene);
    this.stage.show(this.world);
    this.player = new Player(recording);
    this.plots = new Plots($("right"), this);
    this.details = new Details($("details"), $("tooltip"), this);
    this.tree = new Tree($("tree"), $("search"), this);
    this.toolbar = new Toolbar($("toolbar"), this);
    this.timeline = new Timeline($("bar"), this);
    this.player.addEventListener("change", () => (this.moved = true));
    this.player.addEventListener("state", () => (this.moved = true));
    this.head();
    this.outlook();
    this.moved = true;
  }

  head() {
    const { scene } = this, loops = scene.joints.filter((joint) => joint.cut).length, bodies = scene.bodies.filter((body) => !body.ground).length;
    const count = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;
    document.title = `${scene.name} · Arthron`;
    const facts = [count(bodies, "body", "bodies"), count(scene.joints.length, "joint"), loops ? count(loops, "loop") : ""].filter(Boolean).join(" · ");
    $("head").replaceChildren(element("b", { title: scene.name }, scene.name), element("span", {}, facts));
  }

  outlook() {
    const { world, stage, recording } = this;
    world.update(recording.start, 0, 1);
    const { first, all, far } = travel(world), bounds = stage.bounds();
    if (bounds.isEmpty()) bounds.setFromCenterAndSize(new Vector3(...(this.scene.centre ?? [0, 0, 0])), new Vector3(1, 1, 1).multiplyScalar(this.scene.length || 1));
    const low = (box) => (box.isEmpty() ? 0 : Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).dot(stage.up))));
    if (!this.scene.road) stage.grid.lay(Math.min(low(bounds), far ? Infinity : low(all)), 0.04 * stage.length);
    if (!far && !first.isEmpty()) bounds.union(all);
    if (far && this.scene.bodies.length <= 3) bounds.expandByScalar(1.2 * stage.length);  // a body alone shows by its surroundings that it moves
    const from = direction(world, stage.up, stage.turn);
    stage.fit(bounds, from.clone());
    if (far) this.follow(heaviest(world));
    // As long as nobody has turned the view, it fits itself to the room it has.
    stage.when_resized = () => {
      const shift = this.followed && this.first_followed ? this.followed.clone().sub(this.first_followed) : new Vector3();
      stage.fit(bounds, from.clone());
      stage.translate(shift);
    };
    this.first_followed = this.followed?.clone();
  }

  value(channel) { return this.recording.count ? this.recording.channels[channel.index][this.frame] : undefined; }

  get frame() { return this.player.frame; }

  /// Once a frame of the browser.
  tick(now) {
    const passed = Math.min(0.25, (now - (this.last ?? now)) / 1000);
    this.last = now;
    this.player.tick(passed);
    if (this.moved) this.move();
    this.stage.tick(now);
  }

  move() {
    const { player, world, stage } = this;
    this.moved = false;
    world.update(player.t, this.frame, stage.renderer.getPixelRatio());
    if (this.following) {
      world.place(this.following, place);
      if (this.followed) stage.translate(shift.subVectors(place, this.followed));
      (this.followed ??= new Vector3()).copy(place);
    }
    this.timeline.update();
    this.details.update();
    this.plots.update();
    stage.dirty = true;
  }

  restyle() {
    this.world.marked.clear();
    for (const [item, mark] of [[this.selected, "selected"], [this.hovered, "hover"]]) {
      if (!item) continue;
      this.world.marked.set(item.key, mark);
      if (item.kind === "subsystem" && mark === "hover") for (const other of this.catalogue.items) if (this.is_below(other, item)) this.world.marked.set(other.key, mark);
    }
    this.world.restyle();
    this.tree.marks();
    this.moved = true;
  }

  is_below(item, subsystem) {
    for (let s = item.subsystem; s > 0; s = this.scene.subsystems[s].parent) if (s === subsystem.index) return true;
    return false;
  }

  hover(item) {
    if (item === this.hovered) return;
    this.hovered = item;
    this.restyle();
  }

  select(item) {
    this.selected = item;
    this.details.show(item);
    this.restyle();
    if (item) this.tree.reveal(item);
    this.tree.marks();
  }

  hide(item, hidden) {
    if (hidden) this.world.hidden.add(item.key);
    else this.world.hidden.delete(item.key);
    this.restyle();
  }

  layer(kind, on) {
    this.world.layers[kind] = on;
    this.restyle();
  }

  arrows(name, on) {
    this.world.arrows.shown[name] = on;
    this.moved = true;
  }

  arrow_size(factor) {
    this.world.arrows.factor = factor;
    this.moved = true;
  }

  grid(on) {
    this.stage.grid.lines.visible = on;
    this.stage.dirty = true;
  }

  trace(item, on) {
    this.world.traces.toggle(item, on);
    this.moved = true;
  }

  follow(item) {
    this.following = item;
    this.stage.when_resized = null;
    this.followed = item ? this.world.place(item, new Vector3()) : null;
    this.toolbar?.following(item);
    this.moved = true;
  }

  plot(channel, on) {
    if (on) this.show_plots(true);
    this.plots.toggle([channel], on);
    this.details.update();
  }

  plot_all(channels) {
    const on = channels.some((channel) => !this.plots.has(channel));
    if (on) this.show_plots(true);
    this.plots.toggle(channels, on);
    this.details.update();
  }

  plot_none() {
    this.plots.toggle(this.plots.channels(), false);
    this.details.update();
  }

  show_plots(on = $("right").hidden) {
    $("right").hidden = $("right-grip").hidden = !on;
    this.plots.rebuild();
  }

  show_tree(on = $("left").hidden) { $("left").hidden = $("left-grip").hidden = !on; }

  show_panels(on) {
    document.body.classList.toggle("bare", !on);
    this.stage.resize();
  }

  fit() {
    const bounds = this.stage.bounds();
    if (!bounds.isEmpty()) this.stage.fit(bounds);
    this.stage.when_resized = null;
  }

  set_speed(speed) {
    this.player.speed = speed;
    if (this.player.attached) this.live.send({ type: "speed", value: speed });
  }

  toggle_play() {
    const { player, live } = this;
    if (live && player.live) live.send({ type: live.status.paused ? "resume" : "pause" });
    else if (player.playing) player.pause();
    else player.play();
  }

  /// What the address or the program's options ask for.
  grant(wish) {
    this.show_panels(wish.panels);
    const channels = channels_named(this.catalogue, wish.plot);
    if (channels.length) {
      this.show_plots(true);
      this.plots.toggle(channels, true);
    }
    this.stage.resize();
    for (const path of wish.trace) {
      const item = this.catalogue.item(path);
      if (["body", "marker", "joint"].includes(item?.kind)) this.trace(item, true);
      else toast(`nothing to trace is called "${path}"`);
    }
    if (wish.follow !== undefined && wish.follow !== null) this.follow(this.catalogue.item(wish.follow) ?? null);
    for (const name of wish.arrows) this.toolbar.arrows[name]?.set(true);
    for (const name of wish.hide) this.toolbar.layers[name]?.set(false);
    if (wish.t !== undefined) this.player.seek(wish.t);
    if (wish.camera) {
      this.move();
      this.stage.set_camera(wish.camera.position, wish.camera.target);
    }
    if (wish.play) this.player.play();
  }

  note(text) {
    $("note").textContent = text;
    $("note").hidden = !text;
  }
}
