// Geometry of several shapes merged into one with colours at its vertices: one draw call a body.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, Matrix4, Quaternion, RingGeometry, SphereGeometry, TubeGeometry, Vector3, Curve,
} from "three";
import { coarse, sides } from "./quality.js";
import { mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";

const Y_TO_Z = new Matrix4().makeRotationX(Math.PI / 2);

/// Edges are slightly rounded where that is cheap: they catch light.
export const box = (x, y, z) => coarse() ? new BoxGeometry(x, y, z) : indexed(new RoundedBoxGeometry(x, y, z, 1, 0.07 * Math.min(x, y, z)));
const indexed = (geometry) => mergeVertices(geometry.deleteAttribute("uv"), 1e-5 * Math.cbrt(volume(geometry)));
function volume(geometry) {
  geometry.computeBoundingBox();
  const { x, y, z } = geometry.boundingBox.getSize(new Vector3());
  return x * y * z;
}
export const sphere = (radius, segments = sides(radius)) => new SphereGeometry(radius, segments, Math.ceil(segments / 2)).applyMatrix4(Y_TO_Z);
export const cylinder = (radius, length, segments = sides(radius)) => new CylinderGeometry(radius, radius, length, segments).applyMatrix4(Y_TO_Z);
export const cone = (radius, length, segments = 14) => new CylinderGeometry(0, radius, length, segments).applyMatrix4(Y_TO_Z);
export const capsule = (radius, length, segments = sides(radius)) => new CapsuleGeometry(radius, length, coarse() ? 3 : 5, segments).applyMatrix4(Y_TO_Z);

export function tube(radius, inner, length, round = sides(radius)) {
  const segments = 4 * Math.ceil(round / 4);  // so that corners of walls and rings meet
  const walls = [radius, inner].map((r) => new CylinderGeometry(r, r, length, segments, 1, true).applyMatrix4(Y_TO_Z));
  const ends = [1, -1].map((side) => {
    const ring = new RingGeometry(inner, radius, segments);
    if (side < 0) ring.rotateX(Math.PI);
    return ring.translate(0, 0, (side * length) / 2);
  });
  const parts = new Parts();
  parts.add(walls[0]).add(turned(walls[1])).add(ends[0]).add(ends[1]);
  return parts.geometry();
}

/// Coil along z from 0 to `length` with straight ends; made once and stretched by scaling.
export function coil(radius, length, wire, turns) {
  class Helix extends Curve {
    getPoint(s, out = new Vector3()) {
      const lead = 0.1, u = Math.min(1, Math.max(0, (s - lead) / (1 - 2 * lead)));
      const blend = Math.min(1, 14 * u, 14 * (1 - u)), angle = 2 * Math.PI * turns * u;
      return out.set(blend * radius * Math.cos(angle), blend * radius * Math.sin(angle), s * length);
    }
  }
  return new TubeGeometry(new Helix(), turns * (coarse() ? 9 : 14), wire, coarse() ? 3 : 6, false);
}

const trivial = (count) => Uint32Array.from({ length: count }, (_, i) => i);

/// Inside out: triangles wound the other way, normals reversed.
export function turned(geometry) {
  geometry.index ?? geometry.setIndex(new BufferAttribute(trivial(geometry.getAttribute("position").count), 1));
  const index = geometry.index.array, normals = geometry.getAttribute("normal").array;
  for (let i = 0; i < index.length; i += 3) [index[i], index[i + 2]] = [index[i + 2], index[i]];
  for (let i = 0; i < normals.length; ++i) normals[i] = -normals[i];
  return geometry;
}

export class Parts {
  list = [];

  add(geometry, color = "#ffffff", matrix) {
    const part = geometry.clone();
    if (!part.getAttribute("normal")) part.computeVertexNormals();
    if (matrix) part.applyMatrix4(matrix);
    this.list.push({ part, color: new Color(color) });
    return this;
  }

  /// As a body's shape says; `loaded` are the meshes.
  add_shape(shape, color, loaded) {
    const place = new Matrix4().compose(vector(shape.at), quaternion(shape.rotation), new Vector3(1, 1, 1));
    const geometry = shape_geometry(shape, loaded);
    return geometry ? this.add(geometry, shape.color ?? color, place) : this;
  }

  get empty() { return this.list.length === 0; }

  // Indexed, for in software a vertex costs more than a triangle.
  geometry() {
    const count = this.list.reduce((sum, { part }) => sum + part.getAttribute("position").count, 0);
    const arrays = { position: new Float32Array(3 * count), normal: new Float32Array(3 * count), color: new Float32Array(3 * count) };
    const indices = this.list.map(({ part }) => part.index?.array ?? trivial(part.getAttribute("position").count));
    const index = new (count > 65535 ? Uint32Array : Uint16Array)(indices.reduce((sum, list) => sum + list.length, 0));
    let start = 0, next = 0;
    this.list.forEach(({ part, color }, p) => {
      const size = part.getAttribute("position").array.length;
      for (const name of ["position", "normal"]) arrays[name].set(part.getAttribute(name).array, start);
      for (let i = start; i < start + size; i += 3) color.toArray(arrays.color, i);
      for (const i of indices[p]) index[next++] = i + start / 3;
      start += size;
      part.dispose();
    });
    const merged = new BufferGeometry();
    for (const [name, array] of Object.entries(arrays)) merged.setAttribute(name, new BufferAttribute(array, 3));
    return merged.setIndex(new BufferAttribute(index, 1));
  }
}

function shape_geometry(shape, loaded) {
  switch (shape.type) {
    case "box": return box(...shape.size);
    case "sphere": return sphere(shape.radius);
    case "cylinder": return shape.inner_radius > 0 ? tube(shape.radius, shape.inner_radius, shape.length) : cylinder(shape.radius, shape.length);
    case "capsule": return capsule(shape.radius, shape.length);
    case "mesh": {
      const mesh = loaded[shape.mesh];
      if (!mesh) return null;
      const size = (shape.scale ?? 1) * (shape.mirrored ? -1 : 1);
      const scaled = mesh.clone();
      const { array } = scaled.getAttribute("position");
      for (let i = 0; i < array.length; ++i) array[i] *= size;
      if (!shape.mirrored) return scaled;
      // A point mirrored through the origin keeps its normal's line but not its sense; the winding flips with it.
      return turned(scaled);
    }
    default: return null;
  }
}

export const vector = (v) => new Vector3(v?.[0] ?? 0, v?.[1] ?? 0, v?.[2] ?? 0);
export const quaternion = (q) => (q ? new Quaternion(q[1], q[2], q[3], q[0]) : new Quaternion());
const Z = new Vector3(0, 0, 1);
/// Turns z to the direction.
export const along = (direction) => new Quaternion().setFromUnitVectors(Z, direction.clone().normalize());
export const placed = (at, turn) => new Matrix4().compose(at ?? new Vector3(), turn ?? new Quaternion(), new Vector3(1, 1, 1));

/// A closed cylinder between two points.
export function rod(from, to, radius, segments = 12) {
  const way = to.clone().sub(from);
  return cylinder(radius, way.length(), segments).applyMatrix4(placed(from.clone().add(to).multiplyScalar(0.5), along(way)));
}
