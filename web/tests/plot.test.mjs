// The plot page.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { available, launch, open } from "./browser.mjs";
import { folder, plot, written } from "./build_pages.mjs";
import { plot_data, plot_page } from "./synthetic.mjs";

const skip = available ? false : "no chromium (set CHROMIUM)";
let browser;
before(async () => (browser = skip ? null : await launch()));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("panes share the cursor and the zoom, names are text", { skip }, async () => {
  const data = plot_data();
  data.title = "<i>a</i> & b";
  data.panes[1].series[0].name = "<b onclick=1>energy</b>";
  const { page, context, complaints, requests } = await open(browser, written("plot", plot_page(plot, data)), { width: 1000, height: 700 });
  assert.equal(await page.locator(".pane").count(), 2);
  assert.equal(await page.locator("h1").textContent(), "<i>a</i> & b");
  assert.match(await page.locator(".legend").last().textContent(), /<b onclick=1>energy<\/b>/);
  const box = await page.locator(".u-over").first().boundingBox(), x = (share) => box.x + share * box.width;
  await page.mouse.move(x(0.5), box.y + 40);
  const i = Math.round(0.5 * 399), near = (text, list) => list.slice(i - 2, i + 3).some((v) => Math.abs(Number(text) - v) < 1e-5);
  const texts = await page.locator(".legend .value").allTextContents();
  assert.ok(near(texts[0], data.panes[0].series[0].y) && near(texts[2], data.panes[1].series[0].y), texts.join(" "));
  await page.mouse.move(x(0.25), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(x(0.5), box.y + 45, { steps: 4 });
  await page.mouse.up();
  const zoomed = await page.evaluate(() => window.arthron.window());
  assert.ok(Math.abs(zoomed[0] - 0.9975) < 0.02 && Math.abs(zoomed[1] - 1.995) < 0.02, String(zoomed));
  await page.mouse.dblclick(x(0.6), box.y + 40);
  assert.deepEqual(await page.evaluate(() => window.arthron.window()), [0, 3.99]);
  assert.deepEqual([complaints, requests], [[], []]);
  await context.close();
});
