// How a script ends: by itself, by an error, by leaving, or suddenly; and how the studio is told.

import process from "node:process";
import { describe, userFrames } from "./errors.mjs";
import { encode } from "./plain.mjs";

const LONGEST_VALUE = 60_000_000; // Bytes; somewhat less than a frame holds.
const NEVER_SETTLED = 13; // The status with which Node.js itself ends in this case.

/** Watches over one script, and tells the channel of its end, once. */
export class Watch {
  constructor(channel, positions, inspect) {
    this._channel = channel;
    this._inspect = inspect;
    this._positions = positions;
    this._ending = null;
    this._settled = false;
    this._value = undefined;
    this.guest = null; // What the frame of a target has to tell of the end, if there is one.
    this.memoryBefore = null; // Bytes of the process before the script, and the most that it ever had.
    this._report = (code) => this._finish(code);
    this._leave = process.exit.bind(process);
    this._watchExit();
    this._watchErrors();
    this._watchSignals();
  }

  /** The script's top level came to its end; timers and other things of its may go on. */
  settle(value) {
    this._settled = true;
    this._value = value;
  }

  /** The same with a last expression, which is not waited for any longer than the script itself lives. */
  settleWith(value) {
    this.settle(isHandle(value) ? undefined : value);
    if (!(value instanceof Promise)) return;
    this.settle(undefined);
    // A rejection goes on to whoever listens to those that nobody handles.
    value.then((result) => this.settle(isHandle(result) ? undefined : result));
  }

  /** The script is over, though something of its may be under way. */
  end(value) {
    this.settle(value);
    this._exit(0);
  }

  /** The script failed. */
  fail(error) {
    this._ending ??= { code: 1, error: describe(error, this._positions) };
    this._exit(1);
  }

  _watchExit() {
    process.on("exit", this._report);
    process.on("beforeExit", () => this._reportLast());
    process.exit = (code = process.exitCode ?? 0) => {
      this._ending ??= this._left(Number(code) & 0xff, `process.exit(${code})`);
      this._exit(code);
    };
  }

  _watchErrors() {
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      // A script may have listeners of its own, which then decide.
      process.on(event, (error) => process.listenerCount(event) > 1 || this.fail(error));
    }
  }

  /** Tells the line of a script that ends its own process. */
  _watchSignals() {
    const { kill, abort } = process;
    process.kill = (pid, signal) => {
      if ([0, process.pid, -process.pid].includes(pid) && signal !== 0)
        this._tell(`the script sent itself ${signal ?? "SIGTERM"}`);
      return kill.call(process, pid, signal);
    };
    process.abort = () => {
      this._tell("the script called process.abort()");
      abort.call(process);
    };
  }

  _tell(message) {
    const line = this._positions.lineIn(userFrames(new Error().stack));
    this._channel.send({ type: "position", line, message });
  }

  _exit(code) {
    this._reportLast();
    this._leave(code);
  }

  /** The script's own listeners come first: what they print belongs to the run. */
  _reportLast() {
    process.off("exit", this._report);
    process.on("exit", this._report);
  }

  _left(code, how) {
    if (!code) return { code, error: null };
    const frames = userFrames(new Error().stack);
    const traceback = [`SystemExit: ${how}`, ...this._positions.shown(frames)].join("\n");
    return { code, error: { type: "SystemExit", message: how, traceback, line: this._positions.lineIn(frames) } };
  }

  _finish(code) {
    const { code: status, error } = this._ending ?? this._natural(code);
    const told = `"code":${status},"error":${this._encodeShown(error)},"value":${this._shownValue()}`;
    this._channel.finish(`{"type":"done",${told}${this._ofFrame()}}\n`);
  }

  _ofFrame() {
    if (!this.guest) return "";
    const told = `,"report":${this._encodeShown(this.guest.report)},"state":${this._encodeShown(this.guest.state)}`;
    return `${told},"memory":${this._memory()}`;
  }

  /** By how many bytes the process grew at most; null where nobody can tell. */
  _memory() {
    const before = this.memoryBefore;
    const now = before && memory();
    if (!now) return null;
    // What the system calls the most that it ever had may be that of the process by which it was started.
    return Math.max(0, (now.most > before.most ? now.most : now.used) - before.used);
  }

  _natural(code) {
    if (this._settled) return this._left(Number(code) & 0xff, `process.exitCode is ${code}`);
    const message = "the script awaits something that never comes";
    return { code: NEVER_SETTLED, error: { type: "Error", message, traceback: `Error: ${message}`, line: null } };
  }

  _shownValue() {
    const value = this._encodeShown(this._ending?.error ? undefined : this._value);
    return value.length * 3 > LONGEST_VALUE && new TextEncoder().encode(value).length > LONGEST_VALUE
      ? this._encodeShown("<a value too large to be shown>")
      : value;
  }

  /** JSON of something that is only looked at: what has no JSON form becomes its description. */
  _encodeShown(value) {
    try {
      return encode(value);
    } catch {
      return JSON.stringify(this._inspect(value));
    }
  }
}

/** What a script gets back because it started something, such as a timer or a server: no value of its. */
function isHandle(value) {
  if (typeof value === "function") return true;
  return typeof value === "object" && value !== null && [value.on, value.unref].some((f) => typeof f === "function");
}

/** What the process has in memory, and the most that it ever had, in bytes; null where nobody can tell. */
export function memory() {
  try {
    return { used: process.memoryUsage.rss(), most: process.resourceUsage().maxRSS * 1024 };
  } catch {
    return null;
  }
}
