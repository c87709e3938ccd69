// Executes a script as a deployment target does: with the target's frame around it, which the host sends as text.
// A frame is a module whose `run(guest)` gives the script's value; what it throws is how the script failed.

import { toolCaller } from "./tools.mjs";

/** Runs the script inside the frame that the host sent with it. */
export async function runFramed({ start, script, channel, positions, watch, defineGlobals, inspect }) {
  const { target, code, names, options, state } = start.frame;
  const guest = {
    code: start.code,
    filename: start.filename,
    directory: start.directory,
    inputs: start.globals,
    tools: start.tools,
    names, // What each tool is called there, and the name that it is called by.
    options,
    state, // What the run before left in this container; what is put here is for the next.
    report: null, // What the reply is made of beyond value, error, stdout and stderr; JSON.
    call: toolCaller(channel, positions), // (tool, positional, named, timeout): a promise; rejects with a ToolError.
    defineGlobals,
    module: () => script.run(), // The script as a module, as it runs without a frame.
    positions,
    inspect,
  };
  watch.guest = guest;
  const frame = await import(address(target, code));
  return frame.run(guest);
}

/** Named as if it stood in the kit's folder, so that stacks leave it out as they do the kit. */
function address(target, code) {
  const name = new URL(`frame-of-${target}.mjs`, import.meta.url).href;
  return `data:text/javascript,${encodeURIComponent(`${code}\n//# sourceURL=${name}\n`)}`;
}
