// What is drawn between two points that move apart: springs, lines, rods. Geometry is made once; each frame only turns and stretches it.
import { Mesh, Vector3 } from "three";
import { coil, cylinder, Parts } from "./parts.js";

const Z = new Vector3(0, 0, 1), way = new Vector3();

/// A mesh whose geometry runs along z from 0 to `natural`, laid from a to b.
export function lay(mesh, a, b) {
  way.subVectors(b, a);
  const length = way.length();
  mesh.position.copy(a);
  if (length > 1e-12) mesh.quaternion.setFromUnitVectors(Z, way.divideScalar(length));
  mesh.scale.z = Math.max(length, 1e-9) / mesh.userData.natural;
  mesh.updateMatrix();
}

/// Springs of like proportions share one geometry.
export class LinkMaker {
  cache = new Map();

  made(key, make) {
    if (!this.cache.has(key)) this.cache.set(key, make());
    return this.cache.get(key);
  }

  mesh(geometry, natural, width, material) {
    const mesh = new Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.scale.set(width, width, 1);
    mesh.userData.natural = natural;
    return mesh;
  }

  coil(length, size, color, material) {
    const ratio = Math.min(60, Math.max(2, Math.round(length / size))), turns = Math.min(9, Math.max(5, Math.round(0.5 * ratio)));
    const geometry = this.made(`coil ${ratio} ${color}`, () => {
      const wire = Math.min(0.16, (0.35 * ratio) / turns / 2);
      return new Parts().add(coil(1, ratio, wire, turns), color).geometry();
    });
    return this.mesh(geometry, ratio, size, material);
  }

  rod(width, color, material) {
    const geometry = this.made(`rod ${color}`, () => new Parts().add(cylinder(1, 1, 8).translate(0, 0, 0.5), color).geometry());
    return this.mesh(geometry, 1, width, material);
  }

  dispose() { for (const geometry of this.cache.values()) geometry.dispose(); }
}
