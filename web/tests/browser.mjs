// Chromium as the tests use it: headless, no network, WebGL in software.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const executable = process.env.CHROMIUM || "/usr/bin/chromium";
// Where the program's own pages are to be tested, a browser that is not there is a failure.
export const available = existsSync(executable) || Boolean(process.env.ARTHRON_PAGES);

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export const launch = () => chromium.launch({ executablePath: executable, args: flags });

/// A page with what went wrong on it: messages of the console, errors, and requests for anything beside the page itself.
export async function open(browser, url, options = {}) {
  const { width = 1280, height = 800, dark = false } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", deviceScaleFactor: 1 });
  const page = await context.newPage(), complaints = [], requests = [];
  // The browser itself remarks on reading pixels back from software WebGL; that is not ours.
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(url.split("#")[0]) && !request.url().startsWith("data:") && requests.push(request.url()));
  await page.goto(url);
  await page.evaluate(() => window.arthron.ready);
  return { page, context, complaints, requests };
}
