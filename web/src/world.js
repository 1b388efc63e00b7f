// The model as three's objects: built once from the scene, moved to any time of the recording.
import { BufferGeometry, Group, Line, LineBasicMaterial, Mesh, Object3D, Quaternion, Vector3 } from "three";
import { Arrows } from "./arrows.js";
import { joint_glyph } from "./glyphs.js";
import { lay, LinkMaker } from "./links.js";
import { paint } from "./material.js";
import { Markers } from "./markers.js";
import { Parts, quaternion, rod, sphere, vector } from "./parts.js";
import { body_colors, glyphs } from "./theme.js";
import { Traces } from "./traces.js";

const a = new Vector3(), b = new Vector3(), turn = new Quaternion();

export class World {
  group = new Group();
  layers = { body: true, joint: true, force: true, marker: true };
  hidden = new Set();     // keys of items and subsystems
  marked = new Map();     // key -> "hover" | "selected"
  objects = new Map();    // key -> objects drawn for it
  movers = [];            // what has to be done a frame beyond moving bodies
  materials = {
    plain: paint(), hover: paint("#ffb52e", 0.65), selected: paint("#ffb52e", 0.85),
  };

  constructor(catalogue, recording, loaded) {
    Object.assign(this, { catalogue, recording, scene: catalogue.scene, links: new LinkMaker(), frame: 0 });
    this.poses = new Float64Array(recording.widths.poses);
    for (let i = 3; i < this.poses.length; i += 7) this.poses[i] = 1;
    recording.poses_at(recording.start, this.poses);
    this.colors = body_colors(this.scene);
    this.frames = this.scene.bodies.map(() => {
      const frame = new Object3D();
      frame.matrixAutoUpdate = false;
      return frame;
    });
    this.group.add(...this.frames);
    for (const item of catalogue.items) {
      if (item.kind === "body") this.add_body(item, loaded);
      else if (item.kind === "joint") this.add_joint(item);
      else if (item.kind === "force") this.add_force(item);
    }
    this.markers = new Markers(this, catalogue.items.filter((item) => item.kind === "marker"));
    this.arrows = new Arrows(this, recording);
    this.traces = new Traces(this, recording);
    this.group.add(this.markers.points, this.arrows.group, this.traces.group);
  }

  keep(item, object, parent = this.group) {
    object.userData.item = item;
    parent.add(object);
    if (!this.objects.has(item.key)) this.objects.set(item.key, []);
    this.objects.get(item.key).push(object);
    return object;
  }

  mesh(item, geometry, parent) { return this.keep(item, new Mesh(geometry, this.materials.plain), parent); }

  add_body(item, loaded) {
    const body = item.data, parts = new Parts();
    for (const shape of body.shapes) parts.add_shape(shape, this.colors[item.index], loaded);
    if (parts.empty && !body.ground) this.add_sticks(parts, item);
    if (!parts.empty) this.mesh(item, parts.geometry(), this.frames[item.index]);
  }

  // A body without a shape: rods from its centre of mass to its joints.
  add_sticks(parts, { data, index }) {
    const com = vector(data.com), ends = [], radius = 0.008 * this.scene.length, color = this.colors[index];
    for (const joint of this.scene.joints) {
      if (joint.parent === index) ends.push(vector(joint.at));
      if (joint.child === index && joint.at_child) ends.push(vector(joint.at_child));
    }
    for (const end of ends) if (end.distanceTo(com) > 1e-9) parts.add(rod(com, end, 0.7 * radius), color);
    parts.add(sphere(1.6 * radius, 16).translate(com.x, com.y, com.z), color);
  }

  add_joint(item) {
    const joint = item.data, glyph = joint_glyph(joint), parent = this.frames[joint.parent], frame = new Object3D();
    frame.position.copy(vector(joint.at));
    frame.quaternion.copy(quaternion(joint.rotation));
    frame.updateMatrix();
    frame.matrixAutoUpdate = false;
    parent?.add(frame);
    if (glyph.fixed) this.mesh(item, glyph.fixed, frame);
    if (glyph.moving) {
      const mesh = this.mesh(item, glyph.moving);
      mesh.matrixAutoUpdate = false;
      this.movers.push(() => this.place_moving(mesh, joint, frame));
    }
    if (glyph.rail) this.add_rail(item, glyph, frame);
    if (glyph.ends) this.add_distance(item, glyph);
  }

  // The moving part of a joint: at the child's point, turned as the joint's frame on the parent.
  place_moving(mesh, joint, frame) {
    this.point(joint.child, joint.at_child ?? [0, 0, 0], mesh.position);
    mesh.quaternion.copy(this.turn_of(joint.parent, turn)).multiply(frame.quaternion);
    mesh.updateMatrix();
  }

  /// Where the child's point lies in the joint's frame on the parent.
  in_joint(joint, frame, out, poses, start) {
    this.point(joint.child, joint.at_child ?? [0, 0, 0], out, poses, start);
    this.point(joint.parent, joint.at, b, poses, start);
    return out.sub(b).applyQuaternion(this.turn_of(joint.parent, turn, poses, start).multiply(frame.quaternion).invert());
  }

  // A rail is as long as the block has gone so far; where the way is no straight line, the way itself is drawn.
  add_rail(item, glyph, frame) {
    const joint = item.data, reach = 4 * joint.size, { count, poses, widths } = this.recording, step = Math.max(1, Math.floor(count / 600)), way = [];
    for (let i = 0; i < count; i += step) way.push(this.in_joint(joint, frame, new Vector3(), poses, i * widths.poses));
    const slides = way.map((p) => p.dot(glyph.axis)), aside = way.map((p, i) => p.distanceTo(a.copy(glyph.axis).multiplyScalar(slides[i])));
    let low = Math.min(0, ...slides) - reach, high = Math.max(0, ...slides) + reach, drawn = 0;
    if (Math.max(0, ...aside) > 0.02 * (high - low)) return void frame.add(path(way));
    const mesh = this.mesh(item, glyph.rail, frame);
    mesh.quaternion.copy(glyph.turn);
    mesh.userData.long = true;
    this.movers.push(() => {
      const s = this.in_joint(joint, frame, a).dot(glyph.axis);
      low = Math.min(low, s - reach);
      high = Math.max(high, s + reach);
      if (high - low === drawn) return;
      drawn = high - low;
      mesh.scale.z = drawn;
      mesh.position.copy(glyph.axis).multiplyScalar((low + high) / 2);
    });
  }

  add_distance(item, glyph) {
    const joint = item.data, link = this.links.rod(0.3 * joint.size, glyphs.rod, this.materials.plain);
    if (!joint.from) {  // where it begins is not told
      const end = this.mesh(item, glyph.ends);
      return this.movers.push(() => this.point(joint.child, joint.at_child ?? [0, 0, 0], end.position));
    }
    const ends = [0, 1].map(() => this.mesh(item, glyph.ends));
    this.keep(item, link);
    this.movers.push(() => {
      this.point(joint.parent, joint.from, ends[0].position);
      this.point(joint.child, joint.at_child ?? [0, 0, 0], ends[1].position);
      lay(link, ends[0].position, ends[1].position);
    });
  }

  add_force(item) {
    const { look, handles, size } = item.data;
    if (handles.length < 2 || (look !== "coil" && look !== "line")) return;
    const [from, to] = handles;
    const length = this.point(from.body, from.at, a).distanceTo(this.point(to.body, to.at, b));
    const plain = this.materials.plain;
    const mesh = look === "coil" ? this.links.coil(length, size, glyphs.coil, plain) : this.links.rod(0.3 * size, glyphs.line, plain);
    this.keep(item, mesh);
    this.movers.push(() => lay(mesh, this.point(from.body, from.at, a), this.point(to.body, to.at, b)));
  }

  /// A point of a body in the world, at the present time or from a row of poses.
  body_point(body, at, out, to, poses = this.poses, start = 0) {
    const i = start + 7 * body, w = poses[i + 3], x = poses[i + 4], y = poses[i + 5], z = poses[i + 6], [px, py, pz] = at;
    const tx = 2 * (y * pz - z * py), ty = 2 * (z * px - x * pz), tz = 2 * (x * py - y * px);
    out[to] = poses[i] + px + w * tx + y * tz - z * ty;
    out[to + 1] = poses[i + 1] + py + w * ty + z * tx - x * tz;
    out[to + 2] = poses[i + 2] + pz + w * tz + x * ty - y * tx;
  }

  point(body, at, out, poses, start) {
    this.body_point(body, at, scratch, 0, poses, start);
    return out.set(scratch[0], scratch[1], scratch[2]);
  }

  turn_of(body, out, poses = this.poses, start = 0) {
    const i = start + 7 * body;
    return out.set(poses[i + 4], poses[i + 5], poses[i + 6], poses[i + 3]);
  }

  /// Where an item is: a body's centre of mass, a joint's point on its child, a marker, a force's middle.
  place(item, out = new Vector3(), poses, start) {
    const { data, kind } = item;
    if (kind === "body") return this.point(item.index, data.com ?? [0, 0, 0], out, poses, start);
    if (kind === "marker") return this.point(data.body, data.at, out, poses, start);
    if (kind === "joint") return data.type === "distance" && data.from ? this.point(data.parent, data.from, out, poses, start) : this.point(data.child, data.at_child ?? [0, 0, 0], out, poses, start);
    if (kind !== "force" || !data.handles.length) return null;
    out.set(0, 0, 0);
    for (const handle of data.handles) out.add(this.point(handle.body, handle.at, b, poses, start));
    return out.divideScalar(data.handles.length);
  }

  path_point(item, frame, out, to) {
    const p = this.place(item, a, this.recording.poses, frame * this.recording.widths.poses);
    p.toArray(out, to);
  }

  visible(item) { return this.layers[item.kind] !== false && this.wanted(item); }

  /// Not hidden, though its kind may be.
  wanted(item) {
    if (this.hidden.has(item.key)) return false;
    for (let s = item.subsystem; s >= 0; s = this.scene.subsystems[s].parent) if (this.hidden.has(this.catalogue.subsystems[s].key)) return false;
    return true;
  }

  /// After anything about hiding, layers or marks has changed.
  restyle() {
    for (const objects of this.objects.values()) {
      const { item } = objects[0].userData, visible = this.visible(item);
      for (const object of objects) {
        object.visible = visible;
        object.material = this.materials[this.marked.get(item.key) ?? "plain"];
      }
    }
  }

  drawn() {
    const shown = (item) => this.visible(item) && (item.kind === "marker" || this.objects.has(item.key));
    return this.catalogue.items.filter(shown).length;
  }

  update(t, frame, pixel_ratio) {
    this.recording.poses_at(t, this.poses);
    this.frame = frame;
    this.frames.forEach((object, i) => {
      object.position.fromArray(this.poses, 7 * i);
      this.turn_of(i, object.quaternion);
      object.updateMatrix();
      object.matrixWorldNeedsUpdate = true;
    });
    for (const move of this.movers) move();
    this.markers.update(pixel_ratio);
    this.arrows.update(frame);
    this.traces.update(frame);
  }

  dispose() {
    for (const objects of this.objects.values()) for (const object of objects) object.geometry.dispose();
    for (const material of Object.values(this.materials)) material.dispose();
    for (const part of [this.markers, this.arrows, this.traces, this.links]) part.dispose();
  }
}

const scratch = [0, 0, 0];

function path(points) {
  const line = new Line(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: glyphs.line }));
  line.frustumCulled = false;
  return line;
}
