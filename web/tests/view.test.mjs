// The view page with a linkage whose motion is known.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { available, launch, open } from "./browser.mjs";
import { folder, view, written } from "./build_pages.mjs";
import { decode_png, differing } from "./png.mjs";
import { crowd, fourbar, fourbar_row, view_page } from "./synthetic.mjs";
import { rmSync } from "node:fs";

const skip = available ? false : "no chromium (set CHROMIUM)";
let browser, url, rows;

before(async () => {
  if (skip) return;
  browser = await launch();
  const made = fourbar();
  rows = made.rows;
  url = written("fourbar", view_page(view, made.scene, made.rows));
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function with_page(address, options, action) {
  const opened = await open(browser, address, options);
  const { page } = opened, call = (name, ...args) => page.evaluate(([name, args]) => window.arthron[name](...args), [name, args]);
  const settle = () => page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  const shot = async () => (await settle(), decode_png(await page.screenshot()));
  const canvas = await page.locator("#canvas").boundingBox();
  try {
    await action({ ...opened, call, shot, settle, canvas });
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.requests, []);
  } finally {
    await opened.context.close();
  }
}

const background = [243, 245, 248];
const off_background = (color) => color.reduce((sum, v, i) => sum + Math.abs(v - background[i]), 0) > 60;

test("bodies, joints and markers are drawn where shown() says", { skip }, () => with_page(url + "#t=1", {}, async ({ call, shot, page }) => {
  const picture = await shot();
  for (const path of ["linkage.crank", "linkage.coupler", "linkage.a", "linkage.b", "linkage.c", "rig.slider", "tip"]) {
    const place = await call("shown", path);
    assert.ok(place.visible, path);
    assert.ok(off_background(picture.at(place.page_x, place.page_y)), `${path}: ${picture.at(place.page_x, place.page_y)}`);
  }
  // The tip is where the closed form has it: its pixel lies between those of two other points as their world places say.
  const camera = await call("look"), place = await call("shown", "tip");
  await call("camera", { position: [0.5, -6, 0.3], target: [0.5, 0, 0.3] });
  const at = async (path) => call("shown", path), a = await at("linkage.a"), d = await at("linkage.d"), tip = await at("tip"), row = fourbar_row(1);
  const scale = d.x - a.x;  // one metre, for pivots a and d lie one metre apart on x
  assert.ok(Math.abs((tip.x - a.x) / scale - row.channels[5]) < 1e-5);
  assert.ok(Math.abs((a.y - tip.y) / scale - row.channels[7]) < 1e-5);
  assert.ok(camera.position.length === 3 && place.x > 0 && (await page.title()).startsWith("fourbar"));
}));

test("seeking shows the numbers of that frame, to the last bit", { skip }, () => with_page(url, {}, async ({ call }) => {
  for (const i of [0, 1, 77, 200, 300]) {
    await call("seek", rows[i].time);
    assert.equal(await call("time"), rows[i].time);
    assert.equal(await call("value", "tip.position.z"), rows[i].channels[7]);
    assert.equal(await call("value", "energy.total"), rows[i].channels[13]);
  }
}));

test("playing moves what moves and ends where it was paused", { skip }, () => with_page(url, {}, async ({ call, shot, canvas, page }) => {
  const first = await shot();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.arthron.time() > 0.5);
  await page.keyboard.press("Space");
  assert.equal(await call("playing"), false);
  assert.ok(differing(first, await shot(), canvas) > 1000);
  const t = await call("time");
  await page.keyboard.press("ArrowRight");
  const next = await call("time");
  assert.ok(next > t && next - t <= 0.0201 && rows.some((row) => row.time === next));
}));

test("hiding a subsystem removes its parts from the picture", { skip }, () => with_page(url + "#t=1", {}, async ({ call, shot, page }) => {
  const drawn = await call("drawn"), slider = await call("shown", "rig.slider");
  assert.ok(off_background((await shot()).at(slider.page_x, slider.page_y)));
  await page.getByLabel("Show rig", { exact: true }).click();
  assert.equal(await call("drawn"), drawn - 3);
  assert.equal((await call("shown", "rig.slider")).visible, false);
  await page.mouse.move(5, 5);
  assert.ok(!off_background((await shot()).at(slider.page_x, slider.page_y)));
}));

test("the line in a plot follows the time, and a click in the plot sets it", { skip }, () => with_page(url + "#plot=tip.position.z,energy.total", {}, async ({ call, page }) => {
  const over = page.locator(".u-over").first(), line = page.locator(".now").first(), box = await over.boundingBox();
  assert.equal(await page.locator(".pane").count(), 2);  // metres and joules
  for (const share of [0.25, 0.75]) {
    await call("seek", 6 * share);
    const at = await line.boundingBox();
    assert.ok(Math.abs((at.x + at.width / 2 - box.x) / box.width - share) < 0.01);
    const shown = Number(await page.locator(".legend .value").first().textContent());
    const value = await call("value", "tip.position.z");
    assert.ok(Math.abs(shown - value) <= 0.5e-5 * Math.abs(value));
  }
  await page.mouse.click(box.x + box.width / 3, box.y + 20);
  assert.ok(Math.abs((await call("time")) - 2) < 0.02);
  await page.mouse.wheel(0, -400);
  await page.waitForTimeout(100);
  await page.mouse.click(box.x + box.width - 2, box.y + 20);
  assert.ok((await call("time")) < 5, "zoomed in by the wheel");
}));

test("hovering tells what is there, clicking selects it and offers its channels", { skip }, () => with_page(url + "#t=1", {}, async ({ call, page, settle }) => {
  const place = await call("shown", "linkage.c");
  await page.mouse.move(place.page_x + 2, place.page_y);
  await page.mouse.move(place.page_x, place.page_y);
  await settle();
  assert.match(await page.locator("#tooltip").textContent(), /linkage\.c.*revolute joint, closes a loop/);
  assert.equal(await page.locator(".row.hover .name").textContent(), "c");
  const tip = await call("shown", "tip");
  await page.mouse.click(tip.page_x, tip.page_y);
  assert.match(await page.locator("#details").textContent(), /tip.*position\.x.*position\.z/);
  await page.locator("#details .channel input").first().click();
  assert.equal(await page.locator(".pane").count(), 1);
  await page.locator("#details .channel input").first().click();
  assert.equal(await page.locator(".pane").count(), 0);
}));

test("the search finds parts and channels", { skip }, () => with_page(url, {}, async ({ page }) => {
  await page.locator("#search").fill("spring");
  const text = await page.locator("#tree").textContent();
  assert.match(text, /rig\.spring/);
  assert.match(text, /rig\.spring\.force/);
  assert.doesNotMatch(text, /linkage/);
}));

test("the camera stays beside the body that it follows", { skip }, () => with_page(url + "#follow=rig.slider", {}, async ({ call }) => {
  await call("seek", 0);
  const before = await call("shown", "rig.slider"), ground = await call("shown", "linkage.a");
  await call("seek", 0.5);
  const now = await call("shown", "rig.slider"), moved = await call("shown", "linkage.a");
  assert.ok(Math.hypot(now.x - before.x, now.y - before.y) < 0.1);
  assert.ok(Math.abs(moved.y - ground.y) > 20);
}));

test("names that look like HTML are shown as text", { skip }, () => {
  const evil = '<img src=x onerror=alert(1)><b>"&amp;</b></script><script>window.broken=1</script>', made = fourbar({ hostile: evil });
  const hostile = written("hostile", view_page(view, made.scene, made.rows, { plot: [`linkage.${evil}.position.x`] }));
  return with_page(hostile, {}, async ({ page, call, settle }) => {
    const place = await call("shown", `linkage.${evil}`);
    await page.mouse.move(place.page_x + 1, place.page_y);
    await page.mouse.move(place.page_x, place.page_y);
    await page.mouse.click(place.page_x, place.page_y);
    await settle();
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("#app img").count(), 0);
    assert.ok((await page.locator("#head").textContent()).includes(evil));
    assert.ok((await page.locator("#details").textContent()).includes(evil));
    assert.ok((await page.locator(".legend").first().textContent()).includes(evil));
  });
});

test("everything fits at 900 and at 1920 pixels, light and dark", { skip }, async () => {
  for (const [width, height, dark] of [[900, 640, false], [1920, 1080, true]]) {
    await with_page(url + "#t=1&plot=tip.position", { width, height, dark }, async ({ page, call }) => {
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      for (const id of ["#bar", "#toolbar", "#right", "#left"]) {
        const box = await page.locator(id).boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, id);
      }
      assert.ok((await call("shown", "rig.slider")).visible);
    });
  }
});

test("a page with data of many megabytes is soon ready", { skip }, async () => {
  const made = crowd({ frames: 1600, channels: 700 }), html = view_page(view, made.scene, made.rows);
  // Two seconds on a machine of its own; the bound only tells that nothing grows beyond measure.
  const big = written("big", html), limit = Number(process.env.ARTHRON_READY_MS || 15000);
  assert.ok(html.length > 8e6, `${html.length} bytes`);
  const start = performance.now();
  await with_page(big, {}, async ({ call }) => {
    const passed = performance.now() - start;
    console.log(`# ${(html.length / 1e6).toFixed(1)} MB ready after ${Math.round(passed)} ms`);
    assert.ok(passed < limit, `${passed} ms`);
    assert.equal(await call("value", "energy.part3"), made.rows[0].channels[3]);
  });
});
