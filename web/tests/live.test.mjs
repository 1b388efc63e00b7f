// The view page on a running simulation.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rmSync } from "node:fs";
import { available, launch, open } from "./browser.mjs";
import { folder, view } from "./build_pages.mjs";
import { live_server } from "./live_server.mjs";
import { fourbar_row } from "./synthetic.mjs";

const skip = available ? false : "no chromium (set CHROMIUM)";
let browser;
before(async () => (browser = skip ? null : await launch()));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function with_server(action) {
  const server = await live_server(view), opened = await open(browser, `http://127.0.0.1:${server.port}/`), { page } = opened;
  const call = (name, ...args) => page.evaluate(([name, args]) => window.arthron[name](...args), [name, args]);
  const until = async (condition, what) => {
    for (let i = 0; i < 100; ++i, await page.waitForTimeout(50)) if (await condition()) return;
    assert.fail(what);
  };
  try {
    await action({ ...opened, server, call, until });
  } finally {
    await opened.context.close();
    await server.stop();
  }
}

test("frames arrive and are shown; pause, back and live again", { skip, timeout: 60000 }, () => with_server(async ({ page, server, call, until, complaints, requests }) => {
  await until(async () => (await call("time")) > 0.3, "time goes on");
  await page.getByLabel("Play or pause (space)").click();
  await until(() => server.paused, "the program hears of the pause");
  await page.waitForTimeout(200);
  const t = await call("time");
  assert.ok(Math.abs((await call("value", "tip.position.x")) - fourbar_row(t).channels[5]) < 1e-12);
  await call("seek", 0.1);
  assert.ok((await call("frame_time")) < t - 0.1, "frames that came before are kept");
  await page.getByText("live", { exact: true }).click();
  assert.equal(await call("time"), t);
  await page.keyboard.press("Space");
  await until(async () => (await call("time")) > t, "it goes on");
  await page.getByLabel("Restart from t = 0").click();
  await until(async () => server.received.some(({ type }) => type === "restart") && (await call("time")) < t, "time starts anew");
  assert.deepEqual([complaints, requests], [[], []]);
}));

test("a slider sends at most ten changes a second, and the last one always", { skip, timeout: 60000 }, () => with_server(async ({ page, server, until }) => {
  const slider = page.getByLabel("rate", { exact: true }), box = await slider.boundingBox();
  await page.mouse.move(box.x + 10, box.y + box.height / 2);
  const start = performance.now();
  await page.mouse.down();
  for (let i = 0; i <= 40; ++i) await page.mouse.move(box.x + 10 + 4 * i, box.y + box.height / 2);
  await page.mouse.up();
  const changes = () => server.received.filter(({ type, parameter }) => type === "set" && parameter === "rate"), shown = Number(await page.getByLabel("rate, exact value").inputValue());
  await until(() => changes().at(-1)?.value === shown, "the last value arrives");
  assert.ok(changes().length <= 2 + (performance.now() - start) / 100, `${changes().length} changes`);
}));

test("errors are told, and a program that is gone too; the page finds it again", { skip, timeout: 60000 }, () => with_server(async ({ page, server, call, until }) => {
  await until(async () => (await call("time")) > 0.2, "frames");
  server.send({ type: "error", message: "rate: found <b>-1</b>, expected 0 or more" });
  await until(async () => (await page.locator(".toast").allTextContents()).includes("rate: found <b>-1</b>, expected 0 or more"), "the error is shown");
  server.send({ type: "scene", scene: { ...server.scene, name: "another" } });
  await until(async () => (await call("drawn")) > 0, "still drawn");
  const { port } = server;
  await server.stop();
  await until(async () => /has gone/.test(await page.locator("#note").textContent()), "a note");
  const again = await live_server(view, port);
  await until(async () => !/has gone/.test(await page.locator("#note").textContent()) && (await call("time")) > 0, "connected again");
  await page.context().close();
  await again.stop();
}));
