// What a script sees of its tools: `tools` with a function each, and `call_tool`.

import { ToolError } from "./errors.mjs";
import { encode, withBytes } from "./plain.mjs";

/** The globals of a script: tools, call_tool, callTool and ToolError. */
export function toolGlobals(tools, channel, positions) {
  const call = toolCaller(channel, positions);
  const callTool = (name, named = {}, options = {}) => {
    checkRequest(name, named, options);
    return call(name, [], named ?? {}, options?.timeout ?? options?.timeout_secs ?? null);
  };
  return { tools: toolTree(tools, call), call_tool: callTool, callTool, ToolError };
}

/** Calls a tool by its name, with positional and named arguments, from the line of the script that is executed. */
export function toolCaller(channel, positions) {
  return (name, args, named, timeout = null) => {
    const place = positions.placeIn(new Error().stack);
    return perform(channel, name, () => encodeRequest(name, args, named), timeout, place);
  };
}

/** The same for named arguments that are JSON already: the text of an object. */
export function jsonToolCaller(channel, positions) {
  return (name, json) => perform(channel, name, () => requestOf(name, "", json), null, positions.placeIn(new Error().stack));
}

/** The same, and waits for the answer there and then. */
export function immediateToolCaller(channel, positions) {
  return (name, args, named, timeout = null) => {
    const place = positions.placeIn(new Error().stack);
    const request = encodeRequest(name, args, named);
    return settled(channel.callNow(`${request},"line":${place.line},"timeout":${timeout}`), name, place);
  };
}

async function perform(channel, name, request, timeout, place) {
  return settled(await channel.call(`${request()},"line":${place.line},"timeout":${timeout}`), name, place);
}

function settled(answer, name, { line, frames }) {
  if (answer.type === "result") return answer.bytes ? withBytes(answer.value, answer.bytes) : answer.value;
  if (answer.type === "error") throw new TypeError(`the call was not understood: ${answer.message}`);
  throw new ToolError(answer.error, name, line, frames);
}

function encodeRequest(name, args, named) {
  try {
    const list = args.map((value, i) => encode(value, `argument ${i + 1}`)).join(",");
    const fields = Object.entries(named).filter(([, value]) => value !== undefined);
    const object = fields.map(([key, value]) => `${JSON.stringify(key)}:${encode(value, key)}`).join(",");
    return requestOf(name, list, `{${object}}`);
  } catch (error) {
    throw new TypeError(`Invalid parameters for tool '${name}': ${error.message}`);
  }
}

function requestOf(name, list, object) {
  return `"tool":${JSON.stringify(name)},"args":[${list}],"kwargs":${object}`;
}

/** What a model gets wrong easily is told at once. */
function checkRequest(name, named, options) {
  if (typeof name !== "string") throw new TypeError(`a tool's name must be a text, not ${kindOf(name)}`);
  if (named !== null && !isPlain(named)) {
    throw new TypeError(`Invalid parameters for tool '${name}': they must be an object, not ${kindOf(named)}`);
  }
  if (options !== null && !isPlain(options)) {
    throw new TypeError(`the options of a call must be an object such as {timeout: 5}, not ${kindOf(options)}`);
  }
  const timeout = options?.timeout ?? options?.timeout_secs;
  if (timeout === undefined || timeout === null) return;
  if (typeof timeout !== "number")
    throw new TypeError(`the timeout of a call must be a number, not ${kindOf(timeout)}`);
  if (!(timeout > 0)) throw new RangeError("the timeout of a call must be above 0");
}

function toolTree(tools, call) {
  const root = {};
  for (const { names, doc } of tools) {
    for (const name of names) place(root, name, toolFunction(name, names[0], doc, call));
  }
  return root;
}

function toolFunction(name, ownName, doc, call) {
  const tool = (...given) => {
    while (given.length && given.at(-1) === undefined) given.pop();
    return given.length === 1 && isPlain(given[0]) ? call(ownName, [], given[0], null) : call(ownName, given, {}, null);
  };
  define(tool, "name", name, false);
  define(tool, "description", doc ?? "", false);
  return tool;
}

/** Puts the tool under its dotted name, making namespaces on the way, and under its whole name too. */
function place(root, name, tool) {
  const path = name.split(".");
  const last = path.pop();
  let room = root;
  for (const step of path) {
    if (!Object.hasOwn(room, step)) define(room, step, {}, true);
    room = room[step];
  }
  const there = Object.hasOwn(room, last) ? room[last] : {};
  // A tool may have the name of a namespace: `price(...)` beside `price.history(...)`.
  for (const key of Object.keys(there)) define(tool, key, there[key], true);
  define(room, last, tool, true);
  if (path.length) define(root, name, tool, false);
}

function define(owner, key, value, enumerable) {
  Object.defineProperty(owner, key, { value, enumerable, configurable: true, writable: true });
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function kindOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
