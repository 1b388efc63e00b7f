// Pixels of a PNG as a browser's screenshot is: eight bits a channel, not interlaced.
import { inflateSync } from "node:zlib";

export function decode_png(buffer) {
  let at = 8, width = 0, height = 0, channels = 0;
  const data = [];
  while (at < buffer.length) {
    const size = buffer.readUInt32BE(at), type = buffer.toString("latin1", at + 4, at + 8), body = buffer.subarray(at + 8, at + 8 + size);
    if (type === "IHDR") [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), { 2: 3, 6: 4 }[body[9]]];
    if (type === "IDAT") data.push(body);
    at += size + 12;
  }
  const raw = inflateSync(Buffer.concat(data)), stride = width * channels, pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; ++y) unfilter(raw, y, stride, channels, pixels);
  return { width, height, channels, pixels, at: (x, y) => [...pixels.subarray((Math.round(y) * width + Math.round(x)) * channels).subarray(0, 3)] };
}

function unfilter(raw, y, stride, channels, pixels) {
  const kind = raw[y * (stride + 1)], from = y * (stride + 1) + 1, to = y * stride;
  for (let x = 0; x < stride; ++x) {
    const left = x >= channels ? pixels[to + x - channels] : 0, above = y ? pixels[to + x - stride] : 0, corner = y && x >= channels ? pixels[to + x - stride - channels] : 0;
    const p = left + above - corner, nearest = [left, above, corner].reduce((best, v) => (Math.abs(p - v) < Math.abs(p - best) ? v : best));
    pixels[to + x] = raw[from + x] + [0, left, above, (left + above) >> 1, nearest][kind];
  }
}

/// Pixels that differ visibly within a rectangle.
export function differing(a, b, { x = 0, y = 0, width = a.width, height = a.height } = {}) {
  let count = 0;
  for (let row = Math.ceil(y); row < y + height; ++row) {
    for (let column = Math.ceil(x); column < x + width; ++column) {
      const i = (row * a.width + column) * a.channels;
      if (Math.abs(a.pixels[i] - b.pixels[i]) + Math.abs(a.pixels[i + 1] - b.pixels[i + 1]) + Math.abs(a.pixels[i + 2] - b.pixels[i + 2]) > 24) ++count;
    }
  }
  return count;
}
