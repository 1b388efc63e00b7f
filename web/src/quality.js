// How much may be drawn. Without graphics hardware every triangle and every smoothed edge costs: then shapes are coarser, and edges are
// smoothed only when the picture rests.
import { ColorManagement } from "three";

ColorManagement.enabled = false;  // colours go to the screen as they are written; the paint does its own light

function in_software() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export const frugal = in_software();

let many = false, length = 1;
/// What is to be drawn; few parts may be fine even in software.
export function expect(scene) {
  many = scene.joints.length + scene.forces.length + scene.bodies.reduce((sum, body) => sum + body.shapes.length, 0) > 30;
  length = scene.length || 1;
}
export const coarse = () => frugal && many;

/// Sides of something round, by its radius against the size of the scene.
export function sides(radius) {
  const share = Math.min(0.3, radius / length);
  return 2 * Math.round((coarse() && share < 0.025 ? 0.34 : 0.5) * (6 + 58 * Math.sqrt(share)));
}
