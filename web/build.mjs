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

// The licences of what is bundled ask that their notices go along.
const notices = (packages) => packages.map((name) => `${name}\n\n${readFileSync(join(source, "..", "node_modules", name, "LICENSE"), "utf8").trim()}`.replaceAll("--", "- -")).join("\n\n");

async function page(name, outdir) {
  const css = await bundle(`${name}.css`), js = await bundle(`${name}.js`);
  const html = readFileSync(join(source, `${name}.html`), "utf8")
    .replace("</head>", () => `<!--\n${notices(name === "view" ? ["three", "uplot"] : ["uplot"])}\n-->\n</head>`)
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
