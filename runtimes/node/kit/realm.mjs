// A fresh V8 context for the frames of targets that have nothing of Node.js: its globals, and a way to run a text in it.

import process from "node:process";
import vm from "node:vm";
import { isError, placed, userFrames } from "./errors.mjs";

const { DONT_CONTEXTIFY } = vm.constants ?? {};
const INSIDE = new URL("inside-of-the-frame.mjs", import.meta.url).href;

/** Made while the process waits for its script. */
let ahead = newContext();

function newContext() {
  return vm.createContext(DONT_CONTEXTIFY ?? {});
}

/** What every realm has for its frame: calls of tools whose values and errors are the realm's own. */
const INVOKERS = `(host) => {
  const { parse, stringify } = JSON;
  const told = ({ value, error }, later) => {
    if (!error) return value;
    const failure = new Error(error.message);
    // An answer that was waited for has lost the place of its call.
    if (later) Object.defineProperty(failure, "stack", { value: error.stack, configurable: true, writable: true });
    throw failure;
  };
  return {
    invoke: async (tool, input = {}, ...more) =>
      told(parse(await host.call(tool, stringify(input), ...more.map((value) => stringify(value)))), true),
    invokeNow: (tool, input = {}) => told(parse(host.callNow(tool, stringify(input))), false),
  };
}`;

/**
 * A context with the language's own globals alone. `inside` is the text of a function that is called in it with
 * `{ host, invoke, invokeNow, inputs }` and defines the rest; `host` are functions of the frame's.
 */
export class Realm {
  constructor(guest, inside, host = {}) {
    this._guest = guest;
    this.context = ahead ?? newContext();
    ahead = null;
    const within = (text) => vm.runInContext(`(${text}\n)`, this.context, { filename: INSIDE });
    const bridge = {
      call: (tool, ...json) =>
        (isObject(json) ? guest.callJson(tool, json[0]) : guest.call(tool, ...argumentsOf(...json))).then(told, failed),
      callNow: (tool, json) => answeredNow(() => guest.callNow(tool, ...argumentsOf(json))),
    };
    const own = within(INVOKERS)(bridge);
    // V8's own console says nothing to anybody here.
    within("(inputs) => { delete globalThis.console; Object.assign(globalThis, JSON.parse(inputs)); }")(
      JSON.stringify(guest.inputs ?? {}),
    );
    within(inside)({ host, ...own });
  }

  /** The value of a text that is a script, such as a function. */
  script(code) {
    const { filename } = this._guest;
    const refuse = (specifier) => Promise.reject(this.refusal(specifier));
    let script;
    try {
      script = new vm.Script(code, { filename, importModuleDynamically: refuse });
    } catch (error) {
      throw understood(error, filename);
    }
    return script.runInContext(this.context);
  }

  /** Evaluates a text that is a module, with `await` at its top level; it can import nothing. */
  async module(code) {
    const { filename } = this._guest;
    const refuse = (specifier) => Promise.reject(this.refusal(specifier));
    const emitWarning = process.emitWarning;
    process.emitWarning = () => {};
    let module;
    try {
      module = new vm.SourceTextModule(code, {
        context: this.context,
        identifier: filename,
        importModuleDynamically: refuse,
      });
    } catch (error) {
      const { located } = await import("./syntax.mjs");
      throw located(error, { code, filename });
    } finally {
      process.emitWarning = emitWarning;
    }
    await module.link((specifier) => {
      throw this.refusal(specifier);
    });
    await module.evaluate();
    return module.namespace;
  }

  /** What an import fails with. */
  refusal(specifier) {
    const message = `there is nothing to import here: ${JSON.stringify(specifier)}`;
    const line = this._guest.lineOfImport(specifier);
    return placed(new TypeError(message), line, `${this._guest.filename}:${line ?? "?"}\nTypeError: ${message}`);
  }
}

/** A syntax error with its line, which V8 writes above the text of the error. */
function understood(error, filename) {
  const stack = String(error?.stack);
  const [, line] = stack.startsWith(`${filename}:`) ? /:([0-9]+)\n/.exec(stack) : [];
  return line ? placed(error, Number(line), stack.split("\n    at ")[0]) : error;
}

/** Whether the arguments are one object, which has them by name. */
function isObject([json, ...more]) {
  return !more.length && json?.[0] === "{";
}

/** One object has the arguments by name; anything else is their values in order. */
function argumentsOf(json, ...more) {
  const given = json === undefined ? {} : JSON.parse(json);
  const named = !more.length && typeof given === "object" && given !== null && !Array.isArray(given);
  return named ? [[], given] : [[given, ...more.map((value) => (value === undefined ? null : JSON.parse(value)))], {}];
}

function answeredNow(call) {
  try {
    return told(call());
  } catch (error) {
    return failed(error);
  }
}

function told(value) {
  try {
    return JSON.stringify({ value: value ?? null });
  } catch {
    // Integers beyond what a number of JavaScript's holds; to look for them takes several times as long as the rest.
    return JSON.stringify({ value }, (_key, part) => (typeof part === "bigint" ? Number(part) : part));
  }
}

function failed(error) {
  const message = isError(error) ? error.message : String(error);
  return JSON.stringify({ error: { message, stack: [`Error: ${message}`, ...userFrames(error?.stack)].join("\n") } });
}
