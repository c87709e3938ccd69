// The entry for Deno: takes the channel, then gives up every permission, so that the script begins with none.

import process from "node:process";
import { placed } from "./errors.mjs";
import { serve } from "./guest.mjs";
import { withWholeAddresses } from "./imports.mjs";
import { isQuiet } from "./quiet.mjs";

const PERMISSIONS = ["read", "write", "env", "net", "run", "ffi", "sys", "import"];
const ANSI_COLOUR = /\u001b\[[0-9;]*m/g;
const CHUNK = 1 << 16;

/** The channel's two pipes; they are read while a call is under way. */
class DenoPipes {
  blocking = true;

  constructor(readFd, writeFd) {
    this._in = Deno.openSync(`/dev/fd/${readFd}`, { read: true });
    this._out = Deno.openSync(`/dev/fd/${writeFd}`, { write: true });
    this._buffer = new Uint8Array(CHUNK);
    this._encoder = new TextEncoder();
    this._held = false;
    this._reading = false;
  }

  write(text) {
    let bytes = this._encoder.encode(text);
    while (bytes.length) bytes = bytes.subarray(this._out.writeSync(bytes));
  }

  /** Waits for bytes. */
  read() {
    const count = this._in.readSync(this._buffer);
    if (!count) leave(1);
    return this._buffer.subarray(0, count);
  }

  /** Waits until the studio ends this process or is gone. */
  linger() {
    while (this._in.readSync(this._buffer));
    leave(1);
  }

  expect(code) {
    this._quiet = isQuiet(code);
  }

  listen(onBytes) {
    this._onBytes = onBytes;
  }

  hold() {
    this._held = true;
    if (!this._reading) this._readOn();
  }

  release() {
    this._held = false;
  }

  soon(send) {
    process.nextTick(send);
  }

  quiet() {
    return this._quiet;
  }

  async _readOn() {
    this._reading = true;
    while (this._held) {
      const count = await this._in.read(this._buffer);
      if (!count) leave(1);
      this._onBytes(this._buffer.subarray(0, count));
    }
    this._reading = false;
  }
}

/** The script as a module without a place of its own, so its neighbours are named by their whole addresses. */
function prepare({ code, filename, directory }) {
  // What comes from standard input has no ending, and may have types.
  const typescript = Deno.args.includes("--typescript") || !/\.[mc]?js$/.test(filename);
  const type = typescript ? "application/typescript" : "application/javascript";
  const text = directory ? withWholeAddresses(code, `file://${encodeURI(directory)}/`) : code;
  const file = URL.createObjectURL(new Blob([text], { type }));
  const run = () => import(file).catch((error) => Promise.reject(explained(error, file, filename)));
  return { file, run };
}

/** An error in the script's text or imports with its place, which Deno puts into the message. */
function explained(error, file, filename) {
  const text = String(error?.message)
    .replaceAll(ANSI_COLOUR, "")
    .replace("run again with the --allow-read flag", "which a script in Deno does not have");
  const [, line] = new RegExp(`\\bat ${file}:([0-9]+):[0-9]+`).exec(text) ?? [];
  if (!line) return error;
  const type = /SyntaxError|not be parsed/.test(`${error.name} ${text}`) ? SyntaxError : TypeError;
  const message = text
    .replace(/^SyntaxError: |^The module's source code could not be parsed: /, "")
    .split(/\n| at blob:/)[0];
  return placed(new type(message), Number(line), `${filename}:${line}\n${text.replaceAll(file, filename)}`);
}

function giveUp(name) {
  try {
    Deno.permissions.revokeSync({ name });
  } catch (error) {
    // The youngest of them, "import", is not known everywhere; there, nothing was granted.
    if (!(error instanceof TypeError)) throw error;
  }
}

const leave = Deno.exit;
Deno.exit = (code) => process.exit(code);
const [readFd, writeFd] = Deno.env.get("PTC_CHANNEL").split(",").map(Number);
const token = Deno.env.get("PTC_TOKEN");
const pipes = new DenoPipes(readFd, writeFd);
Deno.env.delete("PTC_CHANNEL");
Deno.env.delete("PTC_TOKEN");
if (!Deno.args.includes("--keep-permissions")) PERMISSIONS.forEach(giveUp);
// Deno loads what `process` needs when it is first used: better now than when a script waits.
serve({ pipes, token, prepare, inspect: Deno.inspect, warm: () => process.exitCode });
