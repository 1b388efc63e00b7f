// The line to a running simulation.
import { toast } from "./dom.js";

export class Live {
  status = { t: 0, paused: false, speed: 1, ended: false, message: "" };
  tries = 0;
  connected = false;

  constructor(app) {
    this.app = app;
    this.connect();
  }

  get running() { return this.connected && !this.status.paused && !this.status.ended; }

  connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.tries = 0;
      this.connected = true;
      this.app.note("");
    });
    socket.addEventListener("message", (event) => this.message(event.data));
    socket.addEventListener("close", () => this.gone());
    this.socket = socket;
  }

  gone() {
    this.connected = false;
    const wait = Math.min(5, 1 + this.tries++);
    this.app.note(this.status.ended ? "The run has ended and the program is gone. What it sent can still be played." : "The program has gone. Trying to reach it again…");
    this.app.live_state();
    setTimeout(() => this.connect(), 1000 * wait);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else toast("The program is not reachable");
  }

  message(data) {
    if (typeof data !== "string") {
      if (!this.app.frame_arrived(data)) toast("The program sends frames of another model: load this page again");
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "status") {
      Object.assign(this.status, message);
      this.app.live_state();
    } else if (message.type === "error") toast(message.message);
    else if (message.type === "scene") this.app.new_scene(message.scene);
    else if (message.type === "restart") this.app.restarted();
  }
}
