// Scenes with known motion, encoded as the program encodes its own:   node tests/synthetic.mjs PAGES OUTDIR
// A four-bar linkage whose positions come from the intersection of two circles, and a crowd of parts to measure speed with.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

export const marker = "<!--ARTHRON-DATA-->";
const about_y = (angle) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];

// ---- encoding

function packed(values, type) {
  const width = type === "f8" ? 8 : 4, n = values.length;
  const raw = new Uint8Array((type === "f8" ? Float64Array : Float32Array).from(values).buffer), out = new Uint8Array(raw.length);
  for (let i = 0; i < n; ++i) for (let k = 0; k < width; ++k) out[k * n + i] = raw[i * width + k] ^ (i ? raw[(i - 1) * width + k] : 0);
  return out;
}

/// rows: [{time, poses, loads, channels}]; fills scene.frames and gives the text of the frames element.
export function encode(scene, rows) {
  const blocks = [["time", "f8", (row) => [row.time]], ["poses", "f4", (row) => row.poses], ["loads", "f4", (row) => row.loads], ["channels", "f8", (row) => row.channels]];
  const bytes = [];
  scene.frames = { count: rows.length, blocks: [] };
  for (const [name, type, take] of blocks) {
    const columns = take(rows[0]).length, lists = rows.map(take);
    scene.frames.blocks.push({ name, type, columns });
    for (let c = 0; c < columns; ++c) bytes.push(packed(lists.map((list) => list[c]), type));
  }
  return gzipSync(Buffer.concat(bytes)).toString("base64");
}

const json = (id, value) => `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>`;

export function view_page(template, scene, rows, options = {}) {
  const frames = rows ? `<script type="text/plain" id="arthron-frames">${encode(scene, rows)}</script>` : "";
  return template.replace(marker, () => json("arthron-scene", scene) + frames + json("arthron-options", { follow: null, trace: [], plot: [], live: false, ...options }));
}

export const plot_page = (template, data) => template.replace(marker, () => json("arthron-plot", data));

export function csv(scene, rows) {
  const head = ["t [s]", ...scene.channels.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name))];
  return [head.join(","), ...rows.map((row) => [row.time, ...row.channels].join(","))].join("\n") + "\n";
}

// ---- meshes

function tetrahedron_stl(size) {
  const p = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]].map((v) => v.map((x) => x * size));
  const facet = (list) => `facet normal 0 0 0\nouter loop\n${list.map((i) => `vertex ${p[i].join(" ")}`).join("\n")}\nendloop\nendfacet\n`;
  return `solid t\n${[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].map(facet).join("")}endsolid t\n`;
}

const cube_obj = `v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;
const mesh = (format, text) => ({ format, data: gzipSync(Buffer.from(text)).toString("base64") });

// ---- four-bar

export const bar = { ground: 1, crank: 0.35, coupler: 0.95, rocker: 0.7 };

/// Angles about y of crank, coupler and rocker such that the loop is closed (x to the right, z up).
export function linkage(t) {
  const crank = 2 * t + 0.6, B = [bar.crank * Math.cos(crank), bar.crank * Math.sin(crank)];
  const dx = bar.ground - B[0], dz = -B[1], d = Math.hypot(dx, dz);
  const a = (bar.coupler ** 2 - bar.rocker ** 2 + d * d) / (2 * d), h = Math.sqrt(bar.coupler ** 2 - a * a);
  const C = [B[0] + (a * dx - h * dz) / d, B[1] + (a * dz + h * dx) / d];
  return { crank, B, C, coupler: Math.atan2(C[1] - B[1], C[0] - B[0]), rocker: Math.atan2(C[1], C[0] - bar.ground) };
}

// A turn by the angle in the x-z plane from x towards z is one about -y.
const pose = (x, z, angle) => [x, 0, z, ...about_y(-angle)];
const link = (length, color) => [{ type: "capsule", radius: 0.028, length, at: [length / 2, 0, 0], rotation: about_y(Math.PI / 2), ...(color ? { color } : {}) }];
const upright = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];  // z of the joint frame along -y of the body
const turn = [{ linear: [0, 0, 0], angular: [0, 0, 1] }];

export function fourbar({ frames = 301, until = 6, hostile = "" } = {}) {
  const arm = hostile || "coupler";
  const scene = {
    format: 1, name: hostile || "fourbar", up: [0, 0, 1],
    subsystems: [{ path: "", name: hostile || "fourbar", parent: -1 }, { path: "linkage", name: "four_bar", file: "four_bar.json", parent: 0 }, { path: "rig", name: "rig", parent: 0 }],
    bodies: [
      { path: "ground", subsystem: 0, ground: true, mass: 0, com: [0, 0, 0], shapes: [{ type: "box", size: [1.3, 0.2, 0.05], at: [0.5, 0, -0.09], rotation: [1, 0, 0, 0] }] },
      { path: "linkage.crank", subsystem: 1, ground: false, mass: 1, com: [bar.crank / 2, 0, 0], shapes: link(bar.crank) },
      { path: `linkage.${arm}`, subsystem: 1, ground: false, mass: 2, com: [bar.coupler / 2, 0, 0], shapes: [...link(bar.coupler), { type: "mesh", mesh: 0, scale: 0.001, at: [0.4, 0, 0.1], rotation: [1, 0, 0, 0], color: "#c9b458" }, { type: "mesh", mesh: 1, scale: 0.03, mirrored: true, at: [0.6, 0, 0.08], rotation: [1, 0, 0, 0], color: "#76a97c" }] },
      { path: "linkage.rocker", subsystem: 1, ground: false, mass: 1.5, com: [bar.rocker / 2, 0, 0], shapes: [...link(bar.rocker), { type: "cylinder", radius: 0.09, inner_radius: 0.05, length: 0.06, at: [bar.rocker / 2, 0, 0], rotation: upright }] },
      { path: "rig.slider", subsystem: 2, ground: false, mass: 0.5, com: [0, 0, 0], shapes: [{ type: "sphere", radius: 0.06, at: [0, 0, 0], rotation: [1, 0, 0, 0] }] },
    ],
    joints: [
      { path: "linkage.a", subsystem: 1, type: "revolute", parent: 0, child: 1, at: [0, 0, 0], rotation: upright, at_child: [0, 0, 0], freedoms: turn, cut: false, driven: true, size: 0.035 },
      { path: "linkage.b", subsystem: 1, type: "revolute", parent: 1, child: 2, at: [bar.crank, 0, 0], rotation: upright, at_child: [0, 0, 0], freedoms: turn, cut: false, driven: false, size: 0.035 },
      { path: "linkage.c", subsystem: 1, type: "revolute", parent: 2, child: 3, at: [bar.coupler, 0, 0], rotation: upright, at_child: [bar.rocker, 0, 0], freedoms: turn, cut: true, driven: false, size: 0.035 },
      { path: "linkage.d", subsystem: 1, type: "revolute", parent: 0, child: 3, at: [bar.ground, 0, 0], rotation: upright, at_child: [0, 0, 0], freedoms: turn, cut: false, driven: false, size: 0.035 },
      { path: "rig.guide", subsystem: 2, type: "prismatic", parent: 0, child: 4, at: [1.5, 0, 0.3], rotation: [1, 0, 0, 0], at_child: [0, 0, 0], freedoms: [{ linear: [0, 0, 1], angular: [0, 0, 0] }], cut: false, driven: false, size: 0.03 },
    ],
    forces: [
      { path: "rig.spring", subsystem: 2, type: "spring_damper", look: "coil", handles: [{ body: 3, at: [bar.rocker, 0, 0] }, { body: 4, at: [0, 0, 0] }], size: 0.045 },
    ],
    markers: [{ path: "tip", subsystem: 0, body: 2, at: [0.5, 0, 0.3] }],
    meshes: [mesh("stl", tetrahedron_stl(45)), mesh("obj", cube_obj)],
    channels: [],
    parameters: [{ path: "rate", value: 400, unit: "N/m", range: [0, 2000] }, { path: "crank.speed", value: 2, unit: "rad/s" }],
    until, length: 1.8, centre: [0.6, 0, 0.2],
  };
  const names = [["linkage.a.position", "rad"], ["linkage.a.velocity", "rad/s"], ["linkage.d.position", "rad"], ["rig.guide.position", "m"], ["rig.guide.velocity", "m/s"],
    ["tip.position.x", "m"], ["tip.position.y", "m"], ["tip.position.z", "m"], [`linkage.${arm}.position.x`, "m"], [`linkage.${arm}.position.z`, "m"], ["rig.spring.length", "m"],
    ["rig.spring.force", "N"], ["energy.kinetic", "J"], ["energy.total", "J"]];
  scene.channels = names.map(([name, unit]) => ({ name, unit }));
  const rows = Array.from({ length: frames }, (_, i) => fourbar_row((until * i) / (frames - 1)));
  return { scene, rows };
}

export function fourbar_row(t) {
  const { crank, B, C, coupler, rocker } = linkage(t), slide = 0.2 * Math.sin(3 * t), s = [1.5, 0, 0.3 + slide];
  const poses = [0, 0, 0, 1, 0, 0, 0, ...pose(0, 0, crank), ...pose(B[0], B[1], coupler), ...pose(bar.ground, 0, rocker), ...s, 1, 0, 0, 0];
  const tip = [B[0] + 0.5 * Math.cos(coupler) - 0.3 * Math.sin(coupler), 0, B[1] + 0.5 * Math.sin(coupler) + 0.3 * Math.cos(coupler)];
  const way = [s[0] - C[0], s[2] - C[1]], length = Math.hypot(...way), pull = 400 * (length - 0.5), f = [(pull * way[0]) / length, 0, (pull * way[1]) / length];
  const loads = [];
  for (let j = 0; j < 5; ++j) loads.push(30 * Math.cos(t + j), 0, 60 + 40 * Math.sin(t + j), 0, j === 0 ? 5 * Math.sin(t) : 0, 0);
  loads.push(...f, 0, 0, 0, -f[0], 0, -f[2], 0, 0, 0);
  const kinetic = 3 + Math.sin(2 * t) / 3;
  return { time: t, poses, loads, channels: [crank, 2, rocker, slide, 0.6 * Math.cos(3 * t), ...tip, B[0] + (bar.coupler / 2) * Math.cos(coupler), B[1] + (bar.coupler / 2) * Math.sin(coupler), length, pull, kinetic, kinetic + 1e-7 * t] };
}

// ---- a crowd, in proportions like a car's

export function crowd({ bodies = 24, joints = 40, springs = 20, frames = 401, channels = 400 } = {}) {
  const types = [["revolute", [[[0, 0, 0], [0, 0, 1]]]], ["spherical", [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 1]]]], ["universal", [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]]]],
    ["prismatic", [[[0, 0, 1], [0, 0, 0]]]], ["cylindrical", [[[0, 0, 1], [0, 0, 0]], [[0, 0, 0], [0, 0, 1]]]], ["planar", [[[1, 0, 0], [0, 0, 0]], [[0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 1]]]], ["fixed", []], ["distance", []]];
  const groups = ["", "front", "front.left", "front.right", "rear", "rear.left", "rear.right"];
  const subsystems = groups.map((path) => ({ path, name: path || "crowd", parent: path === "" ? -1 : Math.max(0, groups.indexOf(path.split(".").slice(0, -1).join("."))) }));
  const place = (b) => [((b % 6) - 2.5) * 0.6, (Math.floor(b / 6) - 1.5) * 0.6, 0.5];
  const shape = (b) => [{ type: "box", size: [0.3, 0.2, 0.12], at: [0, 0, 0], rotation: [1, 0, 0, 0] }, { type: "cylinder", radius: 0.12, inner_radius: b % 2 ? 0.07 : 0, length: 0.1, at: [0, 0.15, 0], rotation: upright },
    { type: "capsule", radius: 0.03, length: 0.4, at: [0, 0, 0.1], rotation: about_y(1) }];
  const scene = {
    format: 1, name: "crowd", up: [0, 0, 1], subsystems, until: 8, length: 4, centre: [0, 0, 0.5], meshes: [], parameters: [],
    bodies: [{ path: "ground", subsystem: 0, ground: true, mass: 0, com: [0, 0, 0], shapes: [] }],
    joints: [], forces: [], markers: [], channels: Array.from({ length: channels }, (_, c) => ({ name: `energy.part${c}`, unit: c % 2 ? "J" : "m" })),
  };
  const name = (b, text) => (groups[b % 7] ? `${groups[b % 7]}.${text}` : text);
  for (let b = 1; b <= bodies; ++b) scene.bodies.push({ path: name(b, `body${b}`), subsystem: b % 7, ground: false, mass: 1 + b, com: [0, 0, 0], shapes: shape(b) });
  for (let j = 0; j < joints; ++j) {
    const [type, freedoms] = types[j % types.length], parent = j % bodies, child = 1 + ((j + 1) % bodies);
    scene.joints.push({ path: name(j, `joint${j}`), subsystem: j % 7, type, parent, child, at: [0.2, 0, 0.1], from: [0.15, 0, 0.1], rotation: [1, 0, 0, 0], at_child: [-0.2, 0, 0.1], freedoms: freedoms.map(([linear, angular]) => ({ linear, angular })), cut: j % 9 === 8, driven: false, size: 0.03 });
  }
  for (let f = 0; f < springs; ++f) scene.forces.push({ path: name(f, `spring${f}`), subsystem: f % 7, type: "spring_damper", look: f % 5 ? "coil" : "line", handles: [{ body: 1 + (f % bodies), at: [0, 0, 0.1] }, { body: 1 + ((f + 6) % bodies), at: [0, 0, 0] }], size: 0.035 });
  for (let m = 0; m < 12; ++m) scene.markers.push({ path: name(m, `marker${m}`), subsystem: m % 7, body: 1 + m, at: [0, 0, 0.2] });
  const noise = (a, b) => Math.sin(12.9898 * a + 78.233 * b) * 43758.5453 % 1;
  const rows = Array.from({ length: frames }, (_, i) => {
    const time = (8 * i) / (frames - 1), poses = [0, 0, 0, 1, 0, 0, 0];
    for (let b = 1; b <= bodies; ++b) {
      const [x, y, z] = place(b - 1);
      poses.push(x + 0.1 * Math.sin(time + b), y, z + 0.2 * Math.sin(2 * time + 0.4 * b), ...about_y(0.4 * Math.sin(time + b)));
    }
    return { time, poses, loads: Array.from({ length: 6 * (joints + 2 * springs) }, (_, k) => 100 * Math.sin(time + k)), channels: scene.channels.map((_, c) => Math.sin(time + c) + 1e-3 * noise(i, c)) };
  });
  return { scene, rows };
}

export const plot_data = () => {
  const x = Array.from({ length: 400 }, (_, i) => i / 100);
  return { title: "fourbar: tip and energy", x: { label: "t [s]", values: x }, panes: [
    { label: "m", series: [{ name: "tip.position.x", unit: "m", y: x.map((t) => Math.cos(2 * t)) }, { name: "tip.position.z", unit: "m", y: x.map((t) => Math.sin(2 * t)) }] },
    { label: "J", series: [{ name: "energy.total", unit: "J", y: x.map((t, i) => (i > 100 && i < 120 ? null : 3 + 0.2 * Math.sin(5 * t))) }] }] };
};

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [pages, outdir] = process.argv.slice(2), view = readFileSync(join(pages, "view.html"), "utf8"), plot = readFileSync(join(pages, "plot.html"), "utf8");
  mkdirSync(outdir, { recursive: true });
  for (const [name, make] of Object.entries({ fourbar, crowd })) {
    const { scene, rows } = make();
    writeFileSync(join(outdir, `${name}.html`), view_page(view, scene, rows, name === "fourbar" ? { trace: ["tip"], plot: ["tip.position", "energy.total"] } : {}));
    writeFileSync(join(outdir, `${name}.csv`), csv(scene, rows));
  }
  writeFileSync(join(outdir, "plot.html"), plot_page(plot, plot_data()));
}
