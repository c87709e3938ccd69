// Executes a script as a deployment target does: with the target's frame around it, which the host sends as text.
// A frame is a module whose `run(guest)` gives the script's value; what it throws is how the script failed.

import { createRequire } from "node:module";
import process from "node:process";
import { memory } from "./ending.mjs";
import { placed, userFrames } from "./errors.mjs";
import { lineOfImport } from "./imports.mjs";
import { immediateToolCaller, jsonToolCaller, toolCaller } from "./tools.mjs";

const IMPORT = /^import\b/m;

/** Runs the script inside the frame that the host sent with it. */
export async function runFramed({ start, script, channel, positions, watch, defineGlobals, engine }) {
  const { target, code, names, options, state } = start.frame;
  const guest = {
    code: start.code,
    compiled: () => script.javascript(), // The text with the target's edits and without types, to be compiled.
    filename: start.filename,
    directory: start.directory,
    inputs: start.globals,
    tools: start.tools,
    names, // What each tool is called there, and the name that it is called by.
    options,
    state, // What the run before left in this container; what is put here is for the next.
    report: null, // What the reply is made of beyond value, error, stdout and stderr; JSON.
    call: toolCaller(channel, positions), // (tool, positional, named, timeout): a promise; rejects with a ToolError.
    callJson: jsonToolCaller(channel, positions), // (tool, json): the same with an object of named arguments, as JSON.
    callNow: immediateToolCaller(channel, positions), // The same, and waits: gives the value, throws the ToolError.
    place: () => placeOf(new Error(), positions), // Where the script is: a function that tells the line, as that takes time.
    failure: (message, line) => placed(new Error(message), line, `Error: ${message}`), // An error of that line.
    lineOfImport: (specifier) => lineOfImport(start.code, `'${specifier}'`),
    realm: async (inside, host) => new engine.Realm(guest, inside, host),
    write: (line, stream = "stdout") => void process[stream].write(`${line}\n`), // Where the studio shows it.
    end: (value) => watch.end(value), // The script is over, whatever it still has under way.
    defineGlobals,
    // The script as a module, as it runs without a frame; `provide` may give what an import is to find instead.
    module: (provide) => script.run(provide),
    builtin, // A module of the engine's own; a frame that imports nothing itself is made ready sooner.
    neighbour: script.neighbour, // (file, provide): another file as a module in the same way, where the engine can.
    positions,
    inspect: engine.inspect,
  };
  watch.guest = guest;
  watch.memoryBefore = memory();
  // A frame puts functions between the script and its call; the script's line must still be among the stack's.
  Error.stackTraceLimit = 50;
  // What nobody awaits is nobody's failure in the targets; a frame that thinks otherwise says so.
  process.on("unhandledRejection", () => {});
  // Named as if it stood in the kit's folder, so that stacks leave it out as they do the kit.
  const address = new URL(`frame-of-${target}.mjs`, import.meta.url).href;
  const frame = IMPORT.test(code) ? await (engine.importFrame ?? importText)(code, address) : executed(code, address);
  return frame.run(guest);
}

function builtin(name) {
  return process.getBuiltinModule?.(name) ?? createRequire(import.meta.url)(name);
}

function placeOf(trace, positions) {
  return () => positions.lineIn(userFrames(trace.stack));
}

/** What a frame that imports nothing exports: to load a module takes longer than all that most frames do. */
function executed(code, address) {
  const text = code.replaceAll(/^export /gm, "");
  return new Function(`"use strict";\n${text}\nreturn { run };\n//# sourceURL=${address}\n`)();
}

function importText(code, address) {
  return import(`data:text/javascript,${encodeURIComponent(`${code}\n//# sourceURL=${address}\n`)}`);
}
