// The view page: reads the data that the program wrote into it, or listens to a running program.
import "./quality.js";
import { wishes } from "./address.js";
import { App } from "./app.js";
import { bytes_of_base64, decode_blocks, gunzip, json_element } from "./decode.js";
import { toast } from "./dom.js";
import { hooks } from "./hooks.js";
import { attach } from "./live_app.js";
import { load_meshes } from "./meshes.js";
import { listen_to_grips, listen_to_keys, listen_to_pointer } from "./pointer.js";
import { Recording } from "./recording.js";

async function read_recording(scene) {
  const text = document.getElementById("arthron-frames")?.textContent.trim();
  if (!text || !scene.frames?.count) return new Recording(scene);
  return Recording.from_blocks(scene, decode_blocks(await gunzip(bytes_of_base64(text)), scene.frames));
}

async function start() {
  const scene = json_element("arthron-scene"), options = json_element("arthron-options", {});
  if (!scene) throw new Error("there is no model in this page: it is made by \"arthron view\"");
  if (scene.format !== 1) throw new Error(`this page reads format 1, the data has format ${scene.format}`);
  const [recording, meshes] = await Promise.all([read_recording(scene), load_meshes(scene.meshes, toast)]);
  document.getElementById("arthron-frames")?.remove();
  const app = new App(scene, recording, meshes);
  listen_to_pointer(app);
  listen_to_keys(app);
  listen_to_grips();
  app.grant(wishes(location.hash, options));
  window.addEventListener("hashchange", () => app.grant(wishes(location.hash, {})));
  if (options.live) attach(app);
  if (options.message) app.note(options.message);
  document.getElementById("loading").remove();
  app.tick(performance.now());
  const turn = (now) => {
    app.tick(now);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
  return app;
}

const started = start();
window.arthron = hooks(started);
started.catch((error) => {
  const note = document.getElementById("loading");
  note.textContent = error.message;
  note.className = "failed";
});
