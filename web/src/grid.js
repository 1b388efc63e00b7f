// The ground: lines with nice spacing that fade out, below the model and moving along with the view in whole squares.
import { BufferAttribute, BufferGeometry, Color, LineSegments, Quaternion, ShaderMaterial, Vector3 } from "three";
import { nice } from "./format.js";
import { look } from "./theme.js";

const HALF = 40;  // squares from the middle to the edge
const vertex = `
attribute float strength;
uniform float reach;
varying float shade;
varying vec2 place;
void main() {
  shade = strength;
  place = position.xy / reach;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragment = `
uniform vec3 color;
varying float shade;
varying vec2 place;
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(place));
  gl_FragColor = vec4(color, shade * fade);
}`;

export class Grid {
  constructor(length, up) {
    this.spacing = nice(length / 12);
    this.turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
    this.back = this.turn.clone().invert();
    this.height = 0;
    // In pieces: software drops a line whole when one of its ends lies behind the viewer.
    const positions = [], strengths = [], reach = HALF * this.spacing, piece = 4;
    for (let i = -HALF; i <= HALF; ++i) {
      const s = i * this.spacing, strong = i % 10 === 0 ? 0.6 : i % 5 === 0 ? 0.42 : 0.24;
      for (let k = -HALF; k < HALF; k += piece) {
        if (Math.hypot(i, Math.min(Math.abs(k), Math.abs(k + piece))) >= HALF) continue;
        const from = k * this.spacing, to = (k + piece) * this.spacing;
        positions.push(s, from, 0, s, to, 0, from, s, 0, to, s, 0);
        strengths.push(strong, strong, strong, strong);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute("strength", new BufferAttribute(new Float32Array(strengths), 1));
    const uniforms = { color: { value: new Color() }, reach: { value: reach } };
    this.lines = new LineSegments(geometry, new ShaderMaterial({ uniforms, vertexShader: vertex, fragmentShader: fragment, transparent: true, depthWrite: false }));
    this.lines.quaternion.copy(this.turn);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = -1;
    this.recolor();
  }

  recolor() { this.lines.material.uniforms.color.value.set(look().grid); }

  /// Below the lowest point, given along `up`: at zero when nothing lies lower, for there models are drawn upon.
  lay(lowest, slack) { this.height = lowest > -slack ? 0 : Math.floor(lowest / this.spacing) * this.spacing; }

  follow(target) {
    const p = target.clone().applyQuaternion(this.back), square = 10 * this.spacing;
    p.set(Math.round(p.x / square) * square, Math.round(p.y / square) * square, this.height);
    this.lines.position.copy(p.applyQuaternion(this.turn));
  }
}
