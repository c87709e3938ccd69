// The course of a guest: says hello, waits for a script, executes it, says how it ended.

import process from "node:process";
import { Channel } from "./channel.mjs";
import { edited } from "./edits.mjs";
import { Watch } from "./ending.mjs";
import { Positions } from "./errors.mjs";
import { runFramed } from "./framed.mjs";
import { withBytes } from "./plain.mjs";
import { toolGlobals } from "./tools.mjs";

/** One script, then the end. `engine` is what differs between Node.js, Bun and Deno. */
export async function serve(engine) {
  const channel = new Channel(engine.pipes);
  channel.send({ type: "hello", protocol: 1, token: engine.token });
  await engine.warm?.();
  const start = channel.receive();
  const { code, column } = edited(start.code, start.edits);
  engine.pipes.expect(code);
  channel.listen();
  enter(start.directory);
  const script = engine.prepare({ ...start, code, source: start.code });
  const positions = new Positions(script.file, start.filename, script.line, column);
  const watch = new Watch(channel, positions, engine.inspect);
  try {
    if (start.frame) {
      watch.settle(await runFramed({ start, script, channel, positions, watch, defineGlobals, engine }));
      return;
    }
    defineGlobals({ ...withBytes(start.globals, start.bytes ?? []), ...toolGlobals(start.tools, channel, positions) });
    const module = await script.run();
    if (start.implicit) watch.settleWith(module.default);
    else watch.settle(await module.default);
  } catch (error) {
    watch.fail(error);
  }
}

/** Changes to the folder of the script, where there is one and it may be seen. */
function enter(directory) {
  try {
    if (directory) process.chdir(directory);
  } catch {
    // The script can do without.
  }
}

/** Also where the engine has something of that name that cannot be assigned to. */
function defineGlobals(values) {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: true, writable: true });
  }
}
