// Bundles each page to one HTML file without any reference to elsewhere:   node build.mjs OUTDIR
// The program puts its data where the marker <!--ARTHRON-DATA--> stands.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const marker = "<!--ARTHRON-DATA-->";

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(source, entry)], bundle: true, minify: true, write: false, legalComments: "none", target: "es2022",
    format: entry.endsWith(".js") ? "iife" : undefined,
  });
  return result.outputFiles[0].text;
}

// An element ends at its closing tag wherever that stands, in a string too.
const within = (tag, text) => text.replaceAll(`</${tag}`, `<\\/${tag}`).replaceAll("<!--", "<\\!--");

async function page(name, outdir) {
  const css = await bundle(`${name}.css`), js = await bundle(`${name}.js`);
  const html = readFileSync(join(source, `${name}.html`), "utf8")
    .replace("<!--CSS-->", () => `<style>${within("style", css)}</style>`)
    .replace("<!--JS-->", () => `<script>${within("script", js)}</script>`);
  if (html.split(marker).length !== 2) throw new Error(`${name}.html: expected the marker ${marker} once`);
  writeFileSync(join(outdir, `${name}.html`), html);
  console.log(`${name}.html  ${Math.round(html.length / 1024)} kB`);
}

const outdir = process.argv[2];
if (!outdir) {
  console.error("usage: node build.mjs OUTDIR");
  process.exit(2);
}
mkdirSync(outdir, { recursive: true });
await page("view", outdir);
await page("plot", outdir);
