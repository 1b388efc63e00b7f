// Colours of the picture, light and dark.

/// Calm and of like lightness, neighbours far apart.
export const palette = ["#5b8cb8", "#d99a5b", "#76a97c", "#b0799b", "#8f86c4", "#c9b458", "#5fa8a8", "#cf7b72", "#8a9aa8", "#a58b6f", "#7fa6d6", "#9fb06a"];

export const ground_color = "#a3abb5";
export const glyphs = { joint: "#4d5866", pin: "#dfe4ea", cut: "#e0752d", driven: "#2f8f6b", coil: "#8b97a6", rod: "#67727f", line: "#7d8896" };
export const arrows = { force: "#d1495b", torque: "#a23e9b", reaction: "#2d7dd2", moment: "#1a9b8e" };
export const series = ["#2f6fb2", "#d9822b", "#3f9a5a", "#c44e52", "#7d62b5", "#8c6d4f", "#d36ba6", "#6b7785", "#a8a032", "#2fa3b3"];

const looks = {
  light: { background: "#f3f5f8", grid: "#93a0b0", sky: "#ffffff", earth: "#8f99a8", ambient: 0.62, marker: "#1f2933", rim: "#ffffff" },
  dark: { background: "#181c22", grid: "#5d6978", sky: "#dfe8f5", earth: "#3d434c", ambient: 0.55, marker: "#f2f5f8", rim: "#181c22" },
};

const query = matchMedia("(prefers-color-scheme: dark)");
export const look = () => looks[query.matches ? "dark" : "light"];
export const when_look_changes = (action) => query.addEventListener("change", action);

/// One colour a subsystem that owns bodies; a model of one subsystem gets one a body.
export function body_colors(scene) {
  const owners = [...new Set(scene.bodies.filter((body) => !body.ground).map((body) => body.subsystem))];
  if (owners.length > 1) return scene.bodies.map((body) => (body.ground ? ground_color : palette[owners.indexOf(body.subsystem) % palette.length]));
  let next = 0;
  return scene.bodies.map((body) => (body.ground ? ground_color : palette[next++ % palette.length]));
}
