// Tools as files in the guest: `./servers/<server>` is a module with an async function for each tool.

import * as files from "node:fs/promises";

const SERVER = /^(?:\.{1,2}\/)+servers\/([^/]+?)(?:\/([^/]+?))?(?:\.[mc]?[jt]s)?$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export async function run(guest) {
  const { servers } = guest.options;
  const provide = (specifier) => {
    const [, server, file = "index"] = SERVER.exec(specifier) ?? [];
    if (server === undefined || !Object.hasOwn(servers, server)) return undefined;
    const tools = Object.entries(servers[server]).filter(([name]) => file === "index" || name === file);
    if (!tools.length) return undefined;
    return Object.fromEntries(tools.map(([name, tool]) => [name, (input = {}) => call(guest, name, tool, input)]));
  };
  // What published examples use without having imported it; `tools.x()` is the manner of others.
  const free = Object.keys(servers).filter((name) => IDENTIFIER.test(name) && name !== "tools" && !(name in globalThis));
  guest.defineGlobals({ fs: files, ...Object.fromEntries(free.map((name) => [name, provide(`./servers/${name}`)])) });
  await guest.module(provide);
}

function call(guest, name, tool, input) {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new TypeError(`${name} takes one object, not ${Array.isArray(input) ? "an array" : `a ${typeof input}`}`);
  return guest.call(tool, [], input);
}
