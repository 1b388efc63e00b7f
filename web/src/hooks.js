// window.arthron: for tests, for scripts that make pictures, and for the curious.

export function hooks(started) {
  let app = null;
  const settled = () => {
    if (app.moved) app.move();
    app.stage.draw();
  };
  const hook = {
    ready: started.then((result) => void (app = result)),
    time: () => app.player.t,
    duration: () => app.recording.end - app.recording.start,
    frame_time: () => app.recording.time[app.frame],
    seek(t) {
      app.player.seek(t);
      settled();
    },
    play: () => app.player.play(),
    pause: () => app.player.pause(),
    playing: () => app.player.playing,
    value(name) {
      const channel = app.catalogue.by_channel.get(name);
      return channel ? app.value(channel) : undefined;
    },
    values: (names) => names.map((name) => hook.value(name)),
    channels: () => app.catalogue.channels.map((channel) => channel.name),
    shown(path) {
      const item = app.catalogue.item(path), place = item && item.kind !== "subsystem" ? app.world.place(item) : null;
      if (!place) return { x: NaN, y: NaN, visible: false };
      const { x, y, within } = app.stage.pixel(place), box = app.stage.canvas.getBoundingClientRect();
      return { x, y, page_x: box.left + x, page_y: box.top + y, visible: within && app.world.visible(item) };
    },
    camera({ position, target }) {
      app.stage.set_camera(position, target);
      settled();
    },
    look: () => ({ position: app.stage.camera.position.toArray(), target: app.stage.controls.target.toArray() }),
    app: () => app,  // everything, without promises
    fps: () => app.stage.fps(),
    drawn: () => app.world.drawn(),
  };
  return hook;
}
