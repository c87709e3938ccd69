// Cloudflare's code mode in the guest: a global for each provider whose every member is a tool, and console as logs.

const INSIDE = `({ host, invoke }) => {
  const provider = (space) => new Proxy({}, {
    get: (target, name) => {
      if (Object.hasOwn(target, name)) return target[name];
      if (typeof name !== "string") return undefined;
      const call = async (...given) => {
        const tool = host.tool(space, name);
        if (tool === undefined) throw new Error('Tool "' + name + '" not found');
        return await invoke(tool, ...given);
      };
      // Tools in groups are members of members: codemode.math.add().
      if (space === "codemode" && host.isGroup(name)) Object.setPrototypeOf(call, provider(name));
      return call;
    },
  });
  const print = (mark) => (...values) => void host.log(mark + values.map(String).join(" "), mark);
  const quiet = () => {};
  // Asked for when they are used: some of them take Node.js a while to make.
  for (const name of host.globals())
    Object.defineProperty(globalThis, name, {
      get: () => host.global(name),
      set: (value) => Object.defineProperty(globalThis, name, { value, writable: true }),
      configurable: true,
    });
  Object.assign(globalThis, {
    console: { log: print(""), warn: print("[warn] "), error: print("[error] "), info: quiet, debug: quiet },
    fetch: async () => {
      throw new Error("This worker is not permitted to access the internet via global functions like fetch().");
    },
  });
  for (const space of host.spaces()) globalThis[space] = provider(space);
}`;

/** What a worker has besides the language. */
const GLOBALS = [
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "queueMicrotask", "structuredClone"],
  ...["URL", "URLSearchParams", "TextEncoder", "TextDecoder", "atob", "btoa", "crypto", "AbortController", "performance"],
];

export async function run(guest) {
  const logs = [];
  const known = Object.keys(guest.names);
  const above = (name) => name.split(".").map((_, at, parts) => parts.slice(0, at).join("."));
  const groups = new Set(known.flatMap((name) => above(name).slice(1)));
  guest.report = { logs, finished: false };
  const realm = await guest.realm(INSIDE, {
    tool: (space, name) => guest.names[`${space}.${name}`],
    isGroup: (name) => groups.has(name),
    spaces: () => ["codemode", ...new Set(known.map((name) => name.split(".")[0]))],
    globals: () => GLOBALS,
    global: (name) => globalThis[name],
    log: (line, mark) => {
      logs.push(line);
      guest.write(line, mark ? "stderr" : "stdout");
    },
  });
  try {
    const result = await realm.script(await guest.compiled());
    // What has no JSON, such as a function, does not come back.
    const json = JSON.stringify(result);
    guest.report = { logs, finished: true, ...(json === undefined ? {} : { result: JSON.parse(json) }) };
    guest.end(json === undefined ? undefined : result);
  } catch (error) {
    // Only what has a message is an error there: a text that is thrown is lost.
    const lost = typeof error !== "object" || error === null || !error.message;
    guest.report = { logs, finished: lost };
    throw error;
  }
}
