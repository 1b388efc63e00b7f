// Elements without a framework. Text from data only ever becomes text nodes.

export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") node.className = value;
    else if (key === "style") node.style.cssText = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key in node && !key.startsWith("aria")) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const shapes = {
  play: "M8 5v14l11-7z", pause: "M7 5h4v14H7zM13 5h4v14h-4z", back: "M7 5h2v14H7zM19 5v14L10 12z", ahead: "M15 5h2v14h-2zM5 5v14l9-7z",
  start: "M5 5h2.4v14H5zM13.5 5v14L8 12zM20 5v14L14.5 12z",
  loop: "M17 2l4 4-4 4V7H7a3 3 0 0 0-3 3v2H2v-2a5 5 0 0 1 5-5h10zM7 22l-4-4 4-4v3h10a3 3 0 0 0 3-3v-2h2v2a5 5 0 0 1-5 5H7z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  tree: "M4 4h7v4H4zM13 10h7v4h-7zM13 16h7v4h-7zM7 8h2v3h4v2H9v4h4v2H7z", plot: "M4 4h2v14h14v2H4zM7 15l4-6 4 3 4-7 1.6 1-5 9-4-3-3 4.4z",
  restart: "M12 5V1L6 6l6 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z", close: "M6 7.4L7.4 6 12 10.6 16.6 6 18 7.4 13.4 12 18 16.6 16.6 18 12 13.4 7.4 18 6 16.6 10.6 12z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shapes[name]);
  svg.append(path);
  return svg;
}

export function button(name, title, onclick, text) {
  return element("button", { type: "button", title, "aria-label": title, class: text ? "button" : "button icon", onclick }, name ? icon(name) : null, text);
}

/// A button that stays pressed.
export function toggle(text, title, pressed, onchange) {
  const node = element("button", { type: "button", class: "chip", title, "aria-pressed": String(pressed) }, text);
  node.addEventListener("click", () => node.set(node.getAttribute("aria-pressed") !== "true"));
  node.set = (on) => {
    node.setAttribute("aria-pressed", String(on));
    onchange(on);
  };
  return node;
}

const toasts = new Map();
/// A message that goes away by itself; the same message again only stays longer.
export function toast(message, kind = "error") {
  let node = toasts.get(message);
  if (!node) {
    node = element("div", { class: `toast ${kind}`, role: "alert" }, message);
    document.getElementById("toasts").append(node);
    toasts.set(message, node);
  }
  clearTimeout(node.timer);
  node.timer = setTimeout(() => {
    node.remove();
    toasts.delete(message);
  }, 7000);
}
