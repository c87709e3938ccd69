// Codex's code mode in the guest: a fresh V8, `tools`, and the functions with which a script speaks to the model.

const EXIT = "exit";
const PRAGMA = /^\s*\/\/ @exec:\s*(\{.*\})\s*$/;

const INSIDE = `({ host, invoke }) => {
  for (const name of ["Atomics", "SharedArrayBuffer", "WebAssembly"]) delete globalThis[name];
  const shown = (value) => {
    const plain = value === null || !["object", "function", "symbol"].includes(typeof value);
    return plain ? String(value) : (JSON.stringify(value) ?? String(value));
  };
  const call = async (name, tool, input) => {
    if (input !== undefined && (typeof input !== "object" || input === null || Array.isArray(input)))
      throw "tool \`" + name + "\` expects a JSON object for arguments";
    try { return await invoke(tool, input); } catch (error) { throw error.message; }
  };
  const tools = {};
  for (const [name, tool] of host.names()) tools[name] = (input) => call(name, tool, input);
  Object.assign(globalThis, {
    tools,
    ALL_TOOLS: JSON.parse(host.allTools()),
    text: (value) => void host.item("text", shown(value)),
    image: (value, detail) => { const problem = host.image(JSON.stringify(value), detail); if (problem) throw problem; },
    audio: (value) => void host.item("audio", shown(value)),
    generatedImage: (value) => void host.item("generated_image", shown(value)),
    notify: (value) => {
      const text = shown(value);
      if (!text.trim()) throw "notify expects non-empty text";
      host.notify(text);
    },
    store: (key, value) => {
      const json = JSON.stringify(value);
      if (json === undefined)
        throw "Unable to store " + JSON.stringify(String(key)) + ". Only plain serializable objects can be stored.";
      host.store(String(key), json);
    },
    load: (key) => { const json = host.load(String(key)); return json === undefined ? undefined : JSON.parse(json); },
    setTimeout: (callback, delay) => host.later(callback, delay),
    clearTimeout: (number) => void host.forget(number),
    yield_control: () => void host.yield(),
    exit: () => { host.leave(); throw "${EXIT}"; },
  });
}`;

export async function run(guest) {
  const items = [];
  const yields = [];
  const began = Date.now();
  const stored = { ...guest.state };
  const timers = new Map();
  let left = false;
  let lastTimer = 0;
  guest.state = stored;
  guest.report = { items, yields, settings: settingsIn(guest.code), error: null };
  const add = (item, line) => {
    items.push({ ...item, at: Date.now() - began });
    guest.write(line);
  };
  const realm = await guest.realm(INSIDE, {
    names: () => Object.entries(guest.names),
    allTools: () => JSON.stringify(described(guest)),
    item: (type, text) => add({ type, text }, text),
    image: (json, detail) => {
      const { item, problem } = imageOf(json, detail);
      if (item) add(item, "[image]");
      return problem;
    },
    notify: (text) => guest.write(text, "stderr"),
    store: (key, json) => {
      stored[key] = JSON.parse(json);
    },
    load: (key) => (Object.hasOwn(stored, key) ? JSON.stringify(stored[key]) : undefined),
    later: (callback, delay) => {
      const number = ++lastTimer;
      timers.set(number, setTimeout(() => callback(), Number(delay) || 0));
      return number;
    },
    forget: (number) => clearTimeout(timers.get(number)),
    yield: () => void yields.push({ at: Date.now() - began, items: items.length }),
    leave: () => {
      left = true;
    },
  });
  try {
    await realm.module(await guest.compiled());
  } catch (error) {
    if (!left) {
      guest.report.error = textOf(error, guest);
      throw error;
    }
  }
  // What nobody awaited is dropped.
  guest.end(undefined);
}

/** Each tool once, by the first of its names. */
function described({ names, options }) {
  const first = new Map();
  for (const [name, tool] of Object.entries(names)) if (!first.has(tool)) first.set(tool, name);
  return [...first].map(([tool, name]) => ({ name, description: options.descriptions[tool] ?? "" }));
}

function settingsIn(code) {
  try {
    return JSON.parse(PRAGMA.exec(code.split("\n", 1)[0])?.[1] ?? "{}");
  } catch {
    return {};
  }
}

/** An error as Codex tells it: its stack, in which the script is `exec_main.mjs`; anything else as text. */
function textOf(error, guest) {
  if (typeof error !== "object" || error === null || typeof error.stack !== "string") return String(error);
  const frames = guest.positions.shown(error.stack.split("\n").filter((line) => line.includes(guest.filename)));
  const own = frames.filter((line) => /^ {4}at /.test(line)).map((line) => line.replaceAll(guest.filename, "exec_main.mjs"));
  return [`${error.name}: ${error.message}`, ...own].join("\n");
}

function imageOf(json, detail) {
  const value = json === undefined ? undefined : JSON.parse(json);
  const url = typeof value === "string" ? value : value?.image_url;
  if (typeof url !== "string" || !url)
    return {
      problem:
        "image expects a non-empty image URL string, an object with image_url and optional detail, or a raw MCP image block",
    };
  if (!/^(?:https?:\/\/|data:)/i.test(url)) return { problem: "image expects an http(s) or data URL" };
  return { item: { type: "input_image", image_url: url, detail: detail ?? value?.detail ?? "auto" } };
}
