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

let many = false;
/// Few parts may be fine even in software.
export const expect_parts = (count) => (many = count > 30);
export const coarse = () => frugal && many;

/// Sides of something round, by its radius against the size of the scene.
export function sides(radius, length) {
  const n = 6 + 58 * Math.sqrt(Math.min(0.3, radius / (length || 1)));
  return 2 * Math.round((coarse() ? 0.35 : 0.5) * n);
}
