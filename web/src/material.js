// Matt paint, lit at the vertices: in software a picture costs what its pixels cost. Light comes from above and from beside the viewer.
import { Color, ShaderMaterial, Vector3, Vector4 } from "three";
import { look } from "./theme.js";

const vertex = `
attribute vec3 color;
uniform vec3 up, side, sky, earth;
uniform vec4 tint;
varying vec3 shade;
void main() {
  vec3 n = normalize(normalMatrix * normal);
  float above = dot(n, up), lit = max(dot(n, side), 0.0);
  vec3 light = mix(earth, sky, 0.5 + 0.5 * above) + vec3(0.62 * lit);
  vec3 c = mix(color, tint.rgb, tint.a);
  shade = sqrt(c * c * light);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragment = `
varying vec3 shade;
void main() { gl_FragColor = vec4(shade, 1.0); }`;

const shared = { up: { value: new Vector3(0, 1, 0) }, side: { value: new Vector3(-0.45, 0.55, 0.7).normalize() }, sky: { value: new Color() }, earth: { value: new Color() } };

// Light adds up in squares of what the screen is told.
const linear = (color) => {
  const c = new Color(color);
  return c.multiply(c);
};

/// The colours of the vertices, or tinted.
export function paint(tint = "#000000", strength = 0) {
  const { r, g, b } = new Color(tint);
  return new ShaderMaterial({ uniforms: { ...shared, tint: { value: new Vector4(r, g, b, strength) } }, vertexShader: vertex, fragmentShader: fragment });
}

export function recolor_paint() {
  shared.sky.value.copy(linear(look().sky)).multiplyScalar(look().ambient);
  shared.earth.value.copy(linear(look().earth)).multiplyScalar(look().ambient);
}

/// Up as the camera sees it.
export const light_paint = (camera, up) => shared.up.value.copy(up).transformDirection(camera.matrixWorldInverse);
