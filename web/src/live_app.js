// Live mode: frames come while one looks.
import { Catalogue } from "./catalogue.js";
import { Live } from "./live.js";
import { load_meshes } from "./meshes.js";
import { Parameters } from "./parameters.js";
import { toast } from "./dom.js";
import { World } from "./world.js";

const PLOTS_EVERY = 120;  // [ms]

export function attach(app) {
  const { player } = app;
  player.attached = true;
  player.live = true;
  app.timeline.attach();
  const parameters = new Parameters(document.getElementById("parameters"), app.scene.parameters, (parameter, value) => app.live.send({ type: "set", parameter, value }));
  let refreshed = 0, waiting = 0;

  const refresh = () => {
    waiting = 0;
    refreshed = performance.now();
    app.plots.refresh();
  };

  app.frame_arrived = (buffer) => {
    const first = app.recording.count === 0;
    if (!app.recording.append(buffer)) return false;
    if (first && !app.looked) {
      app.looked = true;
      rebuild(app, app.scene);  // springs take their proportions from the first frame
      if (!location.hash.includes("camera=")) app.outlook();
      if (app.following) app.follow(app.following);
    }
    player.arrived();
    waiting ||= setTimeout(refresh, Math.max(0, refreshed + PLOTS_EVERY - performance.now()));
    return true;
  };

  app.restarted = () => {
    app.recording.clear();
    app.followed = null;
    player.go_live();
    app.plots.refresh();
  };

  app.live_state = () => {
    const { status, connected } = app.live;
    if (status.until) app.scene.until = status.until;
    player.speed = status.speed ?? 1;
    app.timeline.show_speed(player.speed);
    parameters.show(status.parameters);
    app.timeline.state();
    if (connected) app.note(status.message || (status.ended ? "The run has ended." : status.paused ? "paused" : ""));
    app.moved = true;
  };

  app.new_scene = async (scene) => {
    if (scene.bodies.length !== app.scene.bodies.length || scene.channels.length !== app.scene.channels.length) return toast("The model has changed: load this page again");
    if (scene.meshes?.length) app.meshes = await load_meshes(scene.meshes, toast);
    rebuild(app, scene);
  };

  app.world.group.visible = app.recording.count > 0;
  app.live = new Live(app);
}

// The world anew; what was hidden, traced, followed and plotted stays so.
function rebuild(app, scene) {
  const old = app.world, traced = [...old.traces.lines.values()].map(({ item }) => item.path);
  Object.assign(app, { scene, catalogue: new Catalogue(scene), hovered: null });
  app.world = new World(app.catalogue, app.recording, app.meshes);
  Object.assign(app.world, { hidden: old.hidden, layers: old.layers });
  Object.assign(app.world.arrows, { shown: old.arrows.shown, factor: old.arrows.factor });
  app.stage.show(app.world);
  old.dispose();
  for (const path of traced) app.trace(app.catalogue.item(path), true);
  if (app.following) app.following = app.catalogue.item(app.following.path) ?? null;
  app.plots.replace(app.plots.channels().map((channel) => app.catalogue.by_channel.get(channel.name)).filter(Boolean));
  app.tree.build();
  app.select(app.selected ? app.catalogue.item(app.selected.path) ?? null : null);
  app.restyle();
}
