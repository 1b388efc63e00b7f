// A server as `arthron run --live` is one, with the motion of the synthetic linkage.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { fourbar, fourbar_row, view_page } from "./synthetic.mjs";

function framed(data) {
  const binary = typeof data !== "string", body = Buffer.from(data), head = body.length < 126 ? Buffer.from([0, body.length]) : Buffer.from([0, 126, body.length >> 8, body.length & 255]);
  head[0] = binary ? 0x82 : 0x81;
  return Buffer.concat([head, body]);
}

// Short masked text messages, several a packet.
function* messages(packet) {
  for (let at = 0; at + 6 <= packet.length; ) {
    const size = packet[at + 1] & 127, mask = packet.subarray(at + 2, at + 6), body = packet.subarray(at + 6, at + 6 + size).map((byte, i) => byte ^ mask[i % 4]);
    if ((packet[at] & 15) === 1) yield JSON.parse(Buffer.from(body).toString());
    at += 6 + size;
  }
}

export function frame_of(row) {
  const head = Float64Array.from([row.time, ...row.channels]), tail = Float32Array.from([...row.poses, ...row.loads]);
  return Buffer.concat([Buffer.from(head.buffer), Buffer.from(tail.buffer)]);
}

export async function live_server(template, port = 0) {
  const { scene } = fourbar();
  scene.frames = { count: 0, blocks: [] };
  scene.until = 20;
  const server = createServer((request, response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(view_page(template, scene, null, { live: true })));
  const state = { t: 0, paused: false, speed: 1, received: [], sockets: new Set(), scene };
  const send = (data) => state.sockets.forEach((socket) => socket.write(framed(data)));
  state.send = (message) => send(JSON.stringify(message));
  state.status = () => state.send({ type: "status", t: state.t, until: 20, paused: state.paused, speed: state.speed, ended: false, message: "", parameters: [{ path: "rate", value: 400 }] });
  server.on("upgrade", (request, socket) => {
    const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    state.sockets.add(socket);
    state.status();
    socket.on("error", () => {});
    socket.on("close", () => state.sockets.delete(socket));
    socket.on("data", (packet) => {
      for (const message of messages(packet)) {
        state.received.push(message);
        if (message.type === "pause" || message.type === "resume") state.paused = message.type === "pause";
        if (message.type === "speed") state.speed = message.value;
        if (message.type === "restart") (state.t = 0), state.send({ type: "restart" });
        state.status();
      }
    });
  });
  const timer = setInterval(() => {
    if (state.paused) return;
    state.t += 0.04 * state.speed;
    send(frame_of(fourbar_row(state.t)));
  }, 40);
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  state.port = server.address().port;
  state.stop = () => {
    clearInterval(timer);
    state.sockets.forEach((socket) => socket.destroy());
    return new Promise((done) => server.close(done));
  };
  return state;
}
