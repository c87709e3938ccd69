// Executes a script in Node.js, as a module that stands in its folder without being there.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";
import { lineOfImport } from "./imports.mjs";
import { placed, userFrames } from "./errors.mjs";

const THIS_FILE = fileURLToPath(import.meta.url);

export { Realm } from "./realm.mjs";

/** While the process waits for its script: the compiler takes longer to load than to compile most scripts. */
export async function warm({ typescript, compiler }) {
  if (!typescript) return;
  try {
    const { javascriptOf } = await import("./typescript.mjs");
    javascriptOf({ code: "const one: number = 1;", filename: "warm.ts" }, compiler);
  } catch {
    // Where there is no compiler the script will hear of it.
  }
}

/** The frame of a target as a module; quicker than the main loader, which has several threads to talk to. */
export async function importFrame(code, address) {
  const restore = silenced();
  try {
    const module = new vm.SourceTextModule(code, { identifier: address });
    await module.link(async (specifier) => standIn(await import(specifier)));
    await module.evaluate();
    return module.namespace;
  } finally {
    restore();
  }
}

/** The script as a module: `run` evaluates it. */
export function prepare({ code, source, filename, directory, frame }, { typescript, compiler }) {
  const place = path.resolve(directory ?? "", path.basename(filename));
  const script = {
    code,
    source,
    filename,
    url: pathToFileURL(place).href,
    file: filename,
    line: (...place) => mapped(...place),
  };
  let mapped = (line) => line;
  const stripped = async (text) => {
    // Where a script is read as JavaScript, types are an error, whatever its file is called.
    const has = typescript || (/\.[mc]?ts$/.test(text.filename) && frame?.language !== "javascript");
    if (!has) return { code: text.code, line: (number) => number };
    const { javascriptOf } = await import("./typescript.mjs");
    return javascriptOf(text, compiler);
  };
  const javascript = async () => {
    ({ code: script.code, line: mapped } = await stripped(script));
    return script.code;
  };
  const neighbour = async (file, provide) => {
    const text = fs.readFileSync(file, "utf8");
    const other = { code: text, source: text, filename: file, url: pathToFileURL(file).href };
    return evaluated({ ...other, code: (await stripped(other)).code }, provide);
  };
  const run = async (provide) => {
    await javascript();
    return evaluated(script, provide);
  };
  return { ...script, javascript, run, neighbour };
}

async function evaluated(script, provide = () => undefined) {
  const load = async (specifier, attributes) => provide(specifier) ?? imported(script, specifier, attributes);
  const module = await compiled(script, load);
  const link = async (specifier, _parent, { attributes, assert } = {}) => {
    const namespace = await load(specifier, attributes ?? assert).catch((error) =>
      Promise.reject(unlinked(error, script, specifier)),
    );
    return standIn(namespace);
  };
  await module.link(link).catch((error) => Promise.reject(unlinked(error, script, error?.message)));
  await module.evaluate();
  return module.namespace;
}

async function compiled(script, load) {
  const quiet = silenced();
  try {
    return new vm.SourceTextModule(script.code, {
      identifier: script.filename,
      initializeImportMeta: (meta) => describeModule(meta, script.url),
      importModuleDynamically: (specifier, _module, attributes) => load(specifier, attributes),
    });
  } catch (error) {
    const { located } = await import("./syntax.mjs");
    throw located(error, script);
  } finally {
    quiet();
  }
}

function describeModule(meta, url) {
  meta.url = url;
  meta.filename = fileURLToPath(url);
  meta.dirname = path.dirname(meta.filename);
  meta.resolve = (specifier) => import.meta.resolve(specifier, url);
}

/** The namespace of what the script imports, seen from its own folder. */
async function imported(script, specifier, attributes = {}) {
  try {
    const url = await import.meta.resolve(specifier, script.url);
    return await import(url, Object.keys(attributes).length ? { with: attributes } : undefined);
  } catch (error) {
    // The importer was this file, in the name of the script.
    const [missing, importer] = String(error?.message).split(" imported from ");
    if (error.code === "ERR_MODULE_NOT_FOUND" && importer === THIS_FILE)
      error.message = `${missing} imported from ${script.filename}`;
    throw error;
  }
}

/** An error in what the script imports statically, with the line of the import; the hint names its specifier. */
function unlinked(error, { filename, source }, hint) {
  const line = error instanceof Error ? lineOfImport(source, `'${hint}'`) : null;
  if (!line) return error;
  const told = [`${error.name}: ${error.message}`, ...userFrames(error.stack), `    at ${filename}:${line}`];
  return placed(error, line, told.join("\n"));
}

/** A module of the main loader, wrapped so that the script's module can be linked to it. */
function standIn(namespace) {
  const names = Object.keys(namespace);
  return new vm.SyntheticModule(names, function () {
    for (const name of names) this.setExport(name, namespace[name]);
  });
}

/** Has Node.js not warn that its modules are experimental: the script did not ask for them. */
function silenced() {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  return () => {
    process.emitWarning = emitWarning;
  };
}
