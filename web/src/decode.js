// From the text in the page to numbers: base64, gzip, byte planes, XOR with the value before.

export function bytes_of_base64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// XOR works byte by byte, so each plane is undone alone: a running XOR over it.
function column(bytes, start, count, width) {
  const out = new Uint8Array(count * width);
  for (let plane = 0; plane < width; ++plane) {
    let last = 0;
    for (let i = 0, from = start + plane * count, to = plane; i < count; ++i, ++from, to += width) out[to] = last ^= bytes[from];
  }
  return out.buffer;
}

const arrays = { f4: Float32Array, f8: Float64Array };

/// Every block by its name, as an array of its columns.
export function decode_blocks(bytes, frames) {
  const blocks = {};
  let start = 0;
  for (const { name, type, columns } of frames.blocks) {
    const Values = arrays[type], size = frames.count * Values.BYTES_PER_ELEMENT;
    blocks[name] = [];
    for (let c = 0; c < columns; ++c, start += size) {
      if (start + size > bytes.length) throw new Error(`the frames end within block "${name}"`);
      blocks[name].push(new Values(column(bytes, start, frames.count, Values.BYTES_PER_ELEMENT)));
    }
  }
  return blocks;
}

export function json_element(id, otherwise) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : otherwise;
}
