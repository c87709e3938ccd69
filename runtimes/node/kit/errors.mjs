// The failure of a tool as a script sees it, and any error as the studio's record has it.

const KIT = new URL(".", import.meta.url).href;
const KIT_PATH = decodeURIComponent(new URL(".", import.meta.url).pathname);
const FOREIGN = /(?:\(|at (?:async )?)(?:node|ext|bun|native):|\(<anonymous>\)$/;
const PLACE = Symbol("place");
const PLACES_KEPT = 500;

/** What a tool raised. `name` and `type` are the type of its exception, such as "KeyError". */
export class ToolError extends Error {
  constructor(failure, tool, line, frames) {
    super(failure.message);
    // Deno takes an error that was never asked for its stack for one without, and replaces it.
    void this.stack;
    const stack = [`${failure.type}: ${failure.message}`, ...frames].join("\n");
    for (const [key, value] of Object.entries({ name: failure.type, stack, line })) {
      Object.defineProperty(this, key, { value, configurable: true, writable: true });
    }
    this.type = failure.type;
    this.tool = tool;
    this.remoteTraceback = failure.traceback ?? "";
    if (failure.exceptions) this.errors = failure.exceptions.map((part) => new ToolError(part, tool, line, frames));
    // What the tool's exception carries, such as the `status` and `body` of an HTTP error.
    for (const [key, value] of Object.entries(failure.state ?? {})) if (!(key in this)) this[key] = value;
  }
}

/** Whether a value is an error, be it of this realm or of another. */
export function isError(value) {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

/** The frames of a stack, innermost first, without those of the kit and of the engine. */
export function userFrames(stack) {
  const lines = String(stack).split("\n");
  return lines.filter(
    (line) => /^ {4}at /.test(line) && !line.includes(KIT) && !line.includes(KIT_PATH) && !FOREIGN.test(line),
  );
}

/** Tells where a script is: `file` is how the engine calls it in stacks, `line` and `column` map its places to the user's. */
export class Positions {
  constructor(file, filename, line = (number) => number, column = (_line, number) => number) {
    this._places = new Map();
    this._pattern = new RegExp(`(^|[ (])(?:file://)?${escaped(file)}:([0-9]+):([0-9]+)`);
    this._filename = filename;
    this._line = (number, place) => line(Number(number), Number(place));
    this._column = (number, place) => column(Number(number), Number(place));
  }

  /** The user's line in the stack, and its frames as `shown` has them; known by heart, for a loop calls from one place. */
  placeIn(stack) {
    let place = this._places.get(stack);
    if (!place) {
      const frames = userFrames(stack);
      place = { line: this.lineIn(frames), frames: this.shown(frames) };
      if (this._places.size >= PLACES_KEPT) this._places.clear();
      this._places.set(stack, place);
    }
    return place;
  }

  /** The user's line in the first frame that is the script's, or null. */
  lineIn(frames) {
    for (const frame of frames) {
      const found = this._pattern.exec(frame);
      if (found) return this._line(found[2], found[3]);
    }
    return null;
  }

  /** The frames with the user's file name and lines. */
  shown(frames) {
    return frames.map((frame) =>
      frame.replace(
        this._pattern,
        (_all, before, line, column) => `${before}${this._filename}:${this._line(line, column)}:${this._column(line, column)}`,
      ),
    );
  }
}

/** The error, with what the record shall say of it where its stack does not tell: its line, and a traceback. */
export function placed(error, line, traceback) {
  Object.defineProperty(error, PLACE, { value: { line, traceback }, configurable: true });
  return error;
}

/** The error as the record has it: type, message, traceback of the user's frames, line. */
export function describe(error, positions) {
  if (!isError(error)) return describeThrown(error);
  const place = error[PLACE];
  if (place) return { type: typeOf(error), message: textOf(error.message), ...place };
  const line = error instanceof ToolError ? error.line : positions.lineIn(userFrames(error.stack));
  return { type: typeOf(error), message: textOf(error.message), traceback: traceback(error, positions), line };
}

function traceback(error, positions, depth = 0) {
  const head = `${typeOf(error)}: ${textOf(error.message)}`;
  const frames = userFrames(error.stack);
  const told = [head, ...(error instanceof ToolError ? frames : positions.shown(frames))].join("\n");
  if (!isError(error.cause) || depth > 20) return told;
  return `${told}\nCaused by ${traceback(error.cause, positions, depth + 1)}`;
}

function describeThrown(value) {
  const message = typeof value === "string" ? value : textOf(value);
  return { type: "Error", message, traceback: `The script threw what is no Error: ${message}`, line: null };
}

function typeOf(error) {
  const name = textOf(error.name) || "Error";
  // A class of the script's own that did not set its name.
  return name === "Error" ? (error.constructor?.name ?? name) : name;
}

/** Any value as text; what it does when it is asked for its text is its own affair. */
export function textOf(value) {
  try {
    return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return `<${typeof value} that cannot be shown>`;
  }
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
