// Pages that the program itself made: ARTHRON_PAGES is a folder with NAME.html and, of the same run, NAME.csv.
//   ARTHRON_FPS_MIN     frames a second that playing has to reach      (0: only reported)
//   ARTHRON_READY_MS    time until a page is ready                    (10000)
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { available, launch, open } from "./browser.mjs";
import { decode_png, differing } from "./png.mjs";

const folder = process.env.ARTHRON_PAGES, least = Number(process.env.ARTHRON_FPS_MIN || 0), longest = Number(process.env.ARTHRON_READY_MS || 10000);
const names = folder ? readdirSync(folder).filter((file) => file.endsWith(".html")).map((file) => file.slice(0, -5)) : [];
const skip = !folder ? "ARTHRON_PAGES is not set" : available ? false : "no chromium (set CHROMIUM)";
let browser;
before(async () => (browser = skip ? null : await launch()));
after(() => browser?.close());

/// { head: [{name, unit}], rows: [[number]] }; the first column is the time.
export function read_csv(text) {
  const [head, ...lines] = text.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const columns = head.split(",").map((title) => /^"?(.*?)(?: \[(.*)\])?"?$/.exec(title)).map(([, name, unit]) => ({ name, unit }));
  return { columns, rows: lines.map((line) => line.split(",").map(Number)) };
}

const same = (a, b) => (Number.isNaN(b) ? Number.isNaN(a) : Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) || a === b);

async function compare(call, { columns, rows }, name) {
  const known = new Set(await call("channels")), shared = columns.map((column, i) => [column.name, i]).filter(([column]) => known.has(column));
  assert.ok(shared.length > 0, `${name}: the page has none of the table's channels`);
  let compared = 0;
  for (const share of [0, 0.13, 0.37, 0.5, 0.81, 1]) {
    const row = rows[Math.round(share * (rows.length - 1))];
    await call("seek", row[0]);
    if (!same(await call("frame_time"), row[0])) continue;  // a table may have rows between frames
    const values = await call("values", shared.map(([column]) => column));
    shared.forEach(([column, i], k) => assert.ok(same(values[k], row[i]), `${name}: ${column} at ${row[0]} s is ${values[k]}, in the table ${row[i]}`));
    compared += shared.length;
  }
  assert.ok(compared > 0, `${name}: no row of the table is a frame`);
  return compared;
}

// What has to be seen where it is, of the pages that tests/pages/write.sh writes: nothing stands before these at the first frame.
const seen = {
  fourbar: ["crank0", "crank1", "crank2", "coupler0", "coupler1"],
  vehicle: ["car.body", "car.front_right.wheel", "car.rear_right.wheel"],
  quadruped: ["trunk", "front_right.upper", "front_right.lower", "rear_right.upper", "rear_right.lower", "front_left.lower"],
};

/// Bodies named are drawn where they are: there the picture changes when everything is hidden.
async function check_places(page, call, shot, paths) {
  const drawn = await shot(), places = await Promise.all(paths.map((path) => call("shown", path)));
  await page.locator("#tree input[type=checkbox]").first().click();
  const hidden = await shot();
  await page.locator("#tree input[type=checkbox]").first().click();
  places.forEach((place, i) => {
    assert.ok(place.visible, `${paths[i]} is in the picture`);
    assert.ok(differing(drawn, hidden, { x: place.page_x - 2, y: place.page_y - 2, width: 5, height: 5 }) > 0, `${paths[i]} is drawn at ${place.x}, ${place.y}`);
  });
}

test("there are pages to look at", { skip }, () => assert.ok(names.length > 0));

for (const name of names) {
  test(`${name}: ready, drawn, moving, its numbers those of the table`, { skip, timeout: 180000 }, async (context) => {
    const path = join(folder, `${name}.html`), start = performance.now();
    const opened = await open(browser, pathToFileURL(path).href), { page } = opened;
    const ready = performance.now() - start, call = (hook, ...args) => page.evaluate(([hook, args]) => window.arthron[hook](...args), [hook, args]);
    const rest = () => page.waitForTimeout(500), shot = async () => (await rest(), decode_png(await page.screenshot()));
    const canvas = await page.locator("#canvas").boundingBox();

    assert.ok((await call("drawn")) > 0, "something is drawn");
    const first = await shot(), corner = first.at(canvas.x + 3, canvas.y + canvas.height - 3);
    const blank = { ...first, pixels: first.pixels.map((_, i) => corner[i % first.channels] ?? 255) };
    assert.ok(differing(first, blank, canvas) > 0.002 * canvas.width * canvas.height, "the picture is not empty");

    await check_places(page, call, shot, seen[name] ?? []);

    await call("play");
    await page.waitForTimeout(3000);
    const fps = await call("fps");
    await call("pause");
    assert.ok((await call("time")) > 0, "time passes while playing");
    await call("seek", 0.4 * (await call("duration")));
    assert.ok(differing(first, await shot(), canvas) > 100, "the picture changes");

    const compared = await compare(call, read_csv(readFileSync(join(folder, `${name}.csv`), "utf8")), name);
    context.diagnostic(`${(statSync(path).size / 1e6).toFixed(2)} MB, ready after ${Math.round(ready)} ms, ${fps.toFixed(1)} frames/s, ${compared} numbers compared`);
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.requests, []);
    assert.ok(fps >= least, `${fps} frames/s, expected ${least}`);
    assert.ok(ready <= longest, `ready after ${ready} ms, expected ${longest}`);
    await opened.context.close();
  });
}
