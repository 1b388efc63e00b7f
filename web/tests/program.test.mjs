// `arthron run --live` as a person meets it: ARTHRON_PROGRAM is the program, ARTHRON_MODEL a model with the tunable parameter `damping` and a force `spring`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { available, launch, open } from "./browser.mjs";

const { ARTHRON_PROGRAM: program, ARTHRON_MODEL: model } = process.env;
const skip = !program ? "ARTHRON_PROGRAM is not set" : available ? false : "no chromium (set CHROMIUM)";
let browser, run, url;

before(async () => {
  if (skip) return;
  browser = await launch();
  run = spawn(program, ["run", model, "--set", "sweep=0", "--live", "--port", "0", "--until", "600"], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  for await (const text of run.stderr) {
    said += text;
    if ((url = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0])) break;
  }
});
after(async () => {
  await browser?.close();
  if (run?.exitCode === null) run.kill("SIGKILL");
});

test("a live run moves in the browser, takes a parameter from its slider, and ends with Ctrl-C", { skip, timeout: 60000 }, async () => {
  const opened = await open(browser, url), { page } = opened, call = (hook, ...args) => page.evaluate(([hook, args]) => window.arthron[hook](...args), [hook, args]);
  const until = async (condition, what) => {
    for (let i = 0; i < 200; ++i, await page.waitForTimeout(50)) if (await condition()) return;
    assert.fail(what);
  };
  await until(async () => (await call("drawn")) > 0 && (await call("time")) > 0, "frames arrive");
  const t = await call("time");
  await until(async () => (await call("time")) > t + 0.2, "time goes on");
  // Damping is seen in the force: F = k x + c x', so that with c = 0 the force is k times the stretch alone, whatever the rate.
  const field = page.getByLabel("damping, exact value");
  await field.fill("0");
  await field.press("Enter");
  const elastic = async () => {
    const [force, length, rate] = await call("values", ["spring.force", "spring.length", "spring.rate"]);
    return { force, length, rate };
  };
  const samples = [];
  await page.waitForTimeout(600);
  for (let i = 0; i < 12; ++i, await page.waitForTimeout(90)) samples.push(await elastic());
  // Three samples on one line F = k l + b, however different their rates.
  const [a, b] = [samples.reduce((m, s) => (s.length < m.length ? s : m)), samples.reduce((m, s) => (s.length > m.length ? s : m))];
  const k = (b.force - a.force) / (b.length - a.length);
  for (const s of samples) assert.ok(Math.abs(s.force - a.force - k * (s.length - a.length)) < 1e-6 * Math.max(1, Math.abs(a.force)), `${JSON.stringify(s)} off the line of slope ${k}`);
  assert.ok(samples.some((s) => Math.abs(s.rate) > 1e-4), "the load moves");
  assert.deepEqual(opened.complaints, []);
  run.kill("SIGINT");
  const [code] = await once(run, "exit");
  assert.equal(code, 130);
  await opened.context.close();
});
