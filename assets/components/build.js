// Bundles every component into assets/bundles, or reports stale bundles (--check).
//
// The entry points of a component are, where it has them:
//   index.js   the function that Streamlit calls; the styles that it imports form one more file
//   feeder.js  the function of a second component, which stores one step on the page
//   file.js    `open` for a page that was exported as one file
//   page.css   styles of the whole page

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = dirname(fileURLToPath(import.meta.url));
const BUNDLES = join(SOURCES, "..", "bundles");
const DIGESTS = "digests.json";
const ENTRIES = { "index.js": "", "feeder.js": "_feeder", "file.js": "_file", "page.css": "_page" };

// The digests in Python: assets/check_bundles.py.
function digest(text) {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

function sourceNames() {
  return readdirSync(SOURCES, { recursive: true })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.(js|css)$/.test(name) && !name.endsWith(".test.js"));
}

async function makeBundles() {
  const entries = sourceNames().filter((name) => name.split("/")[1] in ENTRIES);
  const files = {};
  for (const entry of entries.sort()) {
    const [component, file] = entry.split("/");
    const name = component + ENTRIES[file];
    const { outputFiles } = await build({
      absWorkingDir: SOURCES,
      entryPoints: { [name]: entry },
      outdir: BUNDLES,
      write: false,
      bundle: true,
      charset: "utf8",
      target: "es2023",
      logLevel: "error",
      // Styles of a page that is a file are those of its components, which it loads or contains.
      ...(file === "file.js" ? { format: "iife", globalName: "component", loader: { ".css": "empty" } } : { format: "esm" }),
    });
    for (const { path, text } of outputFiles) files[name + path.slice(path.lastIndexOf("."))] = text;
  }
  const digests = {
    sources: Object.fromEntries(sourceNames().sort().map((name) => [name, digest(readFileSync(join(SOURCES, name), "utf8"))])),
    bundles: Object.fromEntries(Object.keys(files).sort().map((name) => [name, digest(files[name])])),
  };
  files[DIGESTS] = JSON.stringify(digests, null, 1) + "\n";
  return files;
}

function findStale(files) {
  const committed = readdirSync(BUNDLES);
  const removed = committed.filter((name) => !(name in files));
  const changed = Object.keys(files).filter((name) =>
    !committed.includes(name) || digest(readFileSync(join(BUNDLES, name), "utf8")) !== digest(files[name]));
  return [...changed, ...removed].sort();
}

const files = await makeBundles();
mkdirSync(BUNDLES, { recursive: true });
const stale = findStale(files);
if (process.argv.includes("--check")) {
  if (stale.length) console.error(`stale bundles: ${stale.join(", ")}; run \`make bundles\``);
  process.exitCode = stale.length ? 1 : 0;
} else {
  for (const name of stale) {
    if (name in files) writeFileSync(join(BUNDLES, name), files[name]);
    else rmSync(join(BUNDLES, name));
  }
  console.log(stale.length ? `bundled: ${stale.join(", ")}` : "all bundles are current");
}
