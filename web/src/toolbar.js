// Over the scene: what is shown, whom the camera follows, the size of arrows.
import { button, element, toggle } from "./dom.js";

export class Toolbar {
  constructor(root, app) {
    const { scene } = app, count = (list) => list.length > 0;
    this.layers = {};
    const shown = (text, title, apply) => this.layers[text.toLowerCase()] = toggle(text, title, true, apply);
    const layer = (text, kind, title) => shown(text, title, (on) => app.layer(kind, on));
    const panels = button("tree", "Parts of the model (m)", () => app.show_tree());
    this.plots = button("plot", "Plots (p)", () => app.show_plots());
    this.follow = element("select", { title: "The camera moves along with this body", "aria-label": "Follow a body", onchange: () => app.follow(app.catalogue.item(this.follow.value) ?? null) });
    this.follow.append(element("option", { value: "" }, "Follow nothing"));
    for (const body of scene.bodies) if (!body.ground) this.follow.append(element("option", { value: body.path }, `Follow ${body.path}`));
    this.size = element("input", { type: "range", min: -1, max: 1, step: 0.05, value: 0, class: "small", title: "Length of the arrows", "aria-label": "Length of the arrows", hidden: true, oninput: () => app.arrow_size(10 ** Number(this.size.value)) });
    this.arrows = {};
    const arrows = (text, name, title) => this.arrows[name] = toggle(text, title, false, (on) => {
      app.arrows(name, on);
      this.size.hidden = !(app.world.arrows.shown.forces || app.world.arrows.shown.reactions);
    });
    const chips = [
      count(scene.joints) && layer("Joints", "joint", "Show joints"),
      scene.forces.some((force) => force.look !== "none") && layer("Springs", "force", "Show springs and lines"),
      count(scene.markers) && layer("Markers", "marker", "Show markers"),
      shown("Grid", "Show the ground grid", (on) => app.grid(on)),
      count(scene.forces) && arrows("Forces", "forces", "Show forces as arrows; torques have two heads"),
      count(scene.joints) && arrows("Reactions", "reactions", "Show what joints exert on their child as arrows; moments have two heads"),
    ].filter(Boolean);
    root.append(panels, element("span", { class: "chips" }, ...chips, this.size),
      element("span", { class: "end" }, this.follow, button("fit", "Fit the view (f)", () => app.fit(), "Fit"), this.plots));
  }

  following(item) { this.follow.value = item?.kind === "body" ? item.path : ""; }
}
