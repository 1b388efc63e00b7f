// What the address says behind #: t, play, camera, panels, plot, follow, trace, arrows, hide; and the options that the program wrote.

export function wishes(hash, options) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const list = (name) => said.get(name)?.split(",").filter(Boolean);
  const camera = list("camera")?.map(Number);
  return {
    t: said.has("t") ? Number(said.get("t")) : undefined,
    play: said.get("play") === "1",
    panels: said.get("panels") !== "0",
    camera: camera?.length === 6 && camera.every(Number.isFinite) ? { position: camera.slice(0, 3), target: camera.slice(3) } : undefined,
    plot: list("plot") ?? options.plot ?? [],
    trace: list("trace") ?? options.trace ?? [],
    follow: said.has("follow") ? said.get("follow") : options.follow,
    arrows: list("arrows") ?? [],
    hide: list("hide") ?? [],
  };
}

/// A name may stand for all channels below it: "tip.position" for its x, y, z.
export function channels_named(catalogue, names) {
  return names.flatMap((name) => catalogue.by_channel.get(name) ?? catalogue.channels.filter((channel) => channel.name.startsWith(name + ".")));
}
