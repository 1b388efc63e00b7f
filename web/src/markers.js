// Markers: dots of one size on the screen, drawn over everything, one draw call.
import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial } from "three";
import { look } from "./theme.js";

const vertex = `
attribute float strength;
uniform float size;
varying float shade;
void main() {
  shade = strength;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = strength > 0.0 ? size * (strength > 1.5 ? 1.7 : 1.0) : 0.0;
  if (strength <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;
const fragment = `
uniform vec3 inner, outer, hot;
varying float shade;
void main() {
  float r = 2.0 * length(gl_PointCoord - 0.5);
  vec3 core = shade > 1.5 ? hot : inner;
  gl_FragColor = vec4(mix(core, outer, smoothstep(0.55, 0.75, r)), 1.0 - smoothstep(0.85, 1.05, r));
}`;

export class Markers {
  constructor(world, items) {
    Object.assign(this, { world, items });
    this.positions = new Float32Array(3 * items.length);
    this.strengths = new Float32Array(items.length);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.positions, 3));
    geometry.setAttribute("strength", new BufferAttribute(this.strengths, 1));
    const uniforms = { size: { value: 8 }, inner: { value: new Color() }, outer: { value: new Color() }, hot: { value: new Color("#f0a020") } };
    this.points = new Points(geometry, new ShaderMaterial({ uniforms, vertexShader: vertex, fragmentShader: fragment, depthTest: false, transparent: true }));
    this.points.frustumCulled = false;
    this.points.renderOrder = 4;
    this.recolor();
  }

  recolor() {
    const { uniforms } = this.points.material;
    uniforms.inner.value.set(look().marker);
    uniforms.outer.value.set(look().rim);
  }

  update(pixel_ratio) {
    const { world, items, positions, strengths } = this;
    items.forEach((item, i) => {
      strengths[i] = !world.visible(item) ? 0 : world.marked.has(item.key) ? 2 : 1;
      world.body_point(item.data.body, item.data.at, positions, 3 * i);
    });
    this.points.geometry.getAttribute("position").needsUpdate = this.points.geometry.getAttribute("strength").needsUpdate = true;
    this.points.material.uniforms.size.value = 9 * pixel_ratio;
  }

  dispose() {
    this.points.geometry.dispose();
    this.points.material.dispose();
  }
}
