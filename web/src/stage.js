// Canvas, camera, lights and ground. Draws only when something has changed.
import {
  Box3, Color, LinearSRGBColorSpace, PerspectiveCamera, Quaternion, Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Grid } from "./grid.js";
import { light_paint, recolor_paint } from "./material.js";
import { frugal } from "./quality.js";
import { Smooth } from "./smooth.js";
import { look, when_look_changes } from "./theme.js";

const MOST_PIXELS = 1.5;  // device pixels a CSS pixel; more costs software rendering dearly

export class Stage {
  scene = new Scene();
  dirty = true;
  times = [];

  constructor(canvas, scene) {
    this.canvas = canvas;
    this.length = scene.length || 1;
    this.up = new Vector3(...(scene.up ?? [0, 0, 1])).normalize();
    this.renderer = new WebGLRenderer({ canvas, antialias: !frugal, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.setPixelRatio(frugal ? 1 : Math.min(MOST_PIXELS, devicePixelRatio));
    this.smooth = frugal ? new Smooth(this.renderer) : this.renderer;
    this.camera = new PerspectiveCamera(32, 1, 0.01, 1000);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.controls.addEventListener("start", () => (this.when_resized = null));
    this.turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    this.grid = new Grid(this.length, this.up);
    this.scene.add(this.grid.lines);
    this.recolor();
    when_look_changes(() => this.recolor());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  recolor() {
    this.scene.background = new Color(look().background);
    recolor_paint();
    this.grid.recolor();
    this.world?.markers.recolor();
    this.dirty = true;
  }

  show(world) {
    if (this.world) this.scene.remove(this.world.group);
    this.world = world;
    this.scene.add(world.group);
    this.dirty = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height || (width === this.width && height === this.height)) return;
    Object.assign(this, { width, height });
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.when_resized?.();
    this.dirty = true;
    this.draw();
  }

  /// Once a frame of the browser; true when it drew.
  tick(now) {
    this.controls.update();
    if (!this.dirty) {
      if (this.rough && now - this.times.at(-1) > 150) this.draw();
      return false;
    }
    this.draw(frugal);
    this.times.push(now);
    while (this.times.length > 2 && now - this.times[0] > 1000) this.times.shift();
    return true;
  }

  /// Rough when the next picture follows at once.
  draw(rough = false) {
    const { camera, controls } = this, distance = camera.position.distanceTo(controls.target);
    camera.near = Math.max(distance / 200, 1e-4 * this.length);
    camera.far = distance * 20 + 60 * this.length;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    light_paint(camera, this.up);
    this.grid.follow(controls.target);
    (rough ? this.renderer : this.smooth).render(this.scene, camera);
    this.dirty = false;
    this.rough = rough;
  }

  fps() {
    const { times } = this;
    if (times.length < 2 || performance.now() - times.at(-1) > 1000) return 0;
    return (1000 * (times.length - 1)) / (times.at(-1) - times[0]);
  }

  set_camera(position, target) {
    this.camera.position.set(...position);
    this.controls.target.set(...target);
    this.when_resized = null;
    this.controls.update();
    this.dirty = true;
  }

  translate(shift) {
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.dirty = true;
  }

  /// Moves back until the box is seen, looking along `direction` or as before.
  fit(bounds, direction) {
    const ball = bounds.getBoundingSphere(new Sphere());
    if (!(ball.radius > 0)) ball.set(ball.center.x === ball.center.x ? ball.center : new Vector3(), this.length / 2);
    const way = direction ?? this.camera.position.clone().sub(this.controls.target);
    if (way.lengthSq() < 1e-20) way.set(1, -1, 0.6);
    const half = (this.camera.fov * Math.PI) / 360, narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    way.setLength(this.box_distance(bounds, way.clone().normalize()) ?? ball.radius / Math.sin(narrow));
    this.controls.target.copy(ball.center);
    this.camera.position.copy(ball.center).add(way);
    this.controls.update();
    this.dirty = true;
  }

  // The distance at which all corners of the box lie within the picture, with a margin.
  box_distance(bounds, way) {
    if (bounds.isEmpty()) return null;
    const side = new Vector3().crossVectors(this.up, way);
    if (side.lengthSq() < 1e-9) return null;
    const over = new Vector3().crossVectors(way, side.normalize()), centre = bounds.getCenter(new Vector3());
    const tall = 0.84 * Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    let distance = 0.05 * this.length;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(i & 1 ? bounds.max.x : bounds.min.x, i & 2 ? bounds.max.y : bounds.min.y, i & 4 ? bounds.max.z : bounds.min.z).sub(centre);
      const depth = corner.dot(way);
      distance = Math.max(distance, depth + Math.abs(corner.dot(side)) / wide, depth + Math.abs(corner.dot(over)) / tall);
    }
    return distance;
  }

  /// Bounds of what is visible now.
  bounds() {
    const box = new Box3(), one = new Box3(), size = new Vector3();
    this.scene.updateMatrixWorld();
    for (const objects of this.world.objects.values()) {
      for (const object of objects) {
        if (!object.visible || object.userData.long) continue;
        object.geometry.boundingBox ?? object.geometry.computeBoundingBox();
        one.copy(object.geometry.boundingBox).applyMatrix4(object.matrixWorld);
        if (object.userData.item.data.ground && one.getSize(size).length() > 1.5 * this.length) continue;
        box.union(one);
      }
    }
    return box;
  }

  /// Canvas pixel of a point of the world.
  pixel(point) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.camera.updateMatrixWorld();
    const p = point.clone().project(this.camera);
    return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, within: Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1 && p.z < 1 };
  }

  /// The item at a canvas pixel: a marker within reach, or the first thing hit.
  pick(x, y) {
    const { clientWidth: width, clientHeight: height } = this.canvas, world = this.world;
    let best = null, near = 8;
    for (const item of world.markers.items) {
      if (!world.visible(item)) continue;
      const p = this.pixel(world.place(item)), distance = Math.hypot(p.x - x, p.y - y);
      if (p.within && distance < near) [best, near] = [item, distance];
    }
    if (best) return best;
    this.raycaster ??= new Raycaster();
    this.raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    const meshes = [...world.objects.values()].flat().filter((object) => object.visible);
    return this.raycaster.intersectObjects(meshes, false)[0]?.object.userData.item ?? null;
  }
}
