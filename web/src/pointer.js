// Pointer and keys over the scene.

export function listen_to_pointer(app) {
  const { canvas } = app.stage;
  let last = null, down = null, waiting = false;
  const look = () => {
    waiting = false;
    if (!last || down) return;
    const box = canvas.getBoundingClientRect(), item = app.stage.pick(last.clientX - box.left, last.clientY - box.top);
    app.hover(item);
    app.details.point_at(item, last.clientX, last.clientY);
    canvas.style.cursor = item ? "pointer" : "";
  };
  canvas.addEventListener("pointermove", (event) => {
    last = event;
    if (!waiting) requestAnimationFrame(look);
    waiting = true;
  });
  canvas.addEventListener("pointerleave", () => {
    last = null;
    app.hover(null);
    app.details.point_at(null);
  });
  canvas.addEventListener("pointerdown", (event) => {
    down = event;
    app.details.point_at(null);
  });
  window.addEventListener("pointerup", (event) => {
    if (down && event.target === canvas && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 4) {
      const box = canvas.getBoundingClientRect();
      app.select(app.stage.pick(event.clientX - box.left, event.clientY - box.top));
    }
    down = null;
  });
}

export function listen_to_keys(app) {
  const keys = {
    " ": () => app.toggle_play(), ArrowLeft: () => app.player.step(-1), ArrowRight: () => app.player.step(1), Home: () => app.player.seek(app.recording.start),
    End: () => app.player.seek(app.recording.end), f: () => app.fit(), p: () => app.show_plots(), m: () => app.show_tree(), l: () => app.timeline.toggle_loop(),
    t: () => ["body", "marker"].includes(app.selected?.kind) && (app.trace(app.selected, !app.world.traces.has(app.selected)), app.details.show(app.selected)),
    "[": () => app.timeline.faster(-1), "]": () => app.timeline.faster(1), Escape: () => app.select(null),
    "/": () => document.getElementById("search").focus(), h: () => app.show_panels(document.body.classList.contains("bare")),
  };
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const kind = event.target.tagName, typing = (kind === "INPUT" && !["checkbox", "range"].includes(event.target.type)) || kind === "SELECT";
    if (typing || (kind === "BUTTON" && event.key === " ") || (kind === "INPUT" && event.key === " " && event.target.type === "checkbox")) return;
    if (kind === "INPUT" && event.target.type === "range" && !event.target.classList.contains("scrub") && event.key.startsWith("Arrow")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  // What was clicked does not keep the keys: space plays right after.
  document.addEventListener("click", (event) => event.detail > 0 && event.target.closest?.("button, input[type=checkbox]")?.blur());
  document.addEventListener("change", (event) => event.target.tagName === "SELECT" && event.target.blur());
}

/// Side panels are made wider or narrower at their grips.
export function listen_to_grips() {
  for (const [id, name, sign] of [["left-grip", "--left", 1], ["right-grip", "--right", -1]]) {
    const grip = document.getElementById(id);
    grip.addEventListener("pointerdown", (event) => {
      grip.setPointerCapture(event.pointerId);
      const below = id === "right-grip" && getComputedStyle(grip).cursor === "row-resize";
      const panel = grip[sign > 0 ? "previousElementSibling" : "nextElementSibling"], start = below ? panel.offsetHeight + event.clientY : panel.offsetWidth - sign * event.clientX;
      grip.onpointermove = (move) => {
        const size = below ? start - move.clientY : start + sign * move.clientX;
        document.documentElement.style.setProperty(below ? "--below" : name, `${Math.max(140, Math.min(size, (below ? innerHeight : innerWidth) * 0.7))}px`);
      };
      grip.onpointerup = () => (grip.onpointermove = null);
    });
  }
}
