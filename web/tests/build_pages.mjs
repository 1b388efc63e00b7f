// The pages as built, once for all tests of a run: from ARTHRON_WEB, or built into a folder of their own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const folder = mkdtempSync(join(tmpdir(), "arthron-web-"));
const built = process.env.ARTHRON_WEB || folder;
if (!process.env.ARTHRON_WEB) execFileSync(process.execPath, [join(dirname(fileURLToPath(import.meta.url)), "..", "build.mjs"), folder]);

export const view = readFileSync(join(built, "view.html"), "utf8");
export const plot = readFileSync(join(built, "plot.html"), "utf8");

export function written(name, html) {
  const path = join(folder, `${name}.test.html`);
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}
