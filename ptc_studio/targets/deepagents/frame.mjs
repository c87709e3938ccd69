// Deep Agents' interpreter in the guest: `tools.camelCase({...})` that gives text, and a last expression that is the value.

const INSIDE = `({ host, invoke }) => {
  for (const name of ["SharedArrayBuffer", "Atomics", "WebAssembly"]) delete globalThis[name];
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  const print = (...values) => void host.log(values.map((value) => host.shown(value, JSON.stringify(value))).join(" "));
  globalThis.console = { log: print, warn: print, error: print };
  globalThis.tools = {};
  for (const [name, tool] of host.names())
    globalThis.tools[name] = async (input) => {
      host.count("tools." + name);
      return text(await invoke(tool, input ?? {}));
    };
}`;

export async function run(guest) {
  const lines = [];
  let calls = 0;
  const report = { lines, kind: null, error: null };
  guest.report = report;
  const realm = await guest.realm(INSIDE, {
    names: () => Object.entries(guest.names),
    shown: (value, json) => shown(json === undefined ? value : JSON.parse(json), json === undefined),
    log: (line) => {
      lines.push(line);
      guest.write(line);
    },
    count: (name) => {
      const { calls: limit } = guest.options;
      if (++calls <= limit) return;
      const message = `PTC call budget exceeded (limit=${limit}, attempted=${limit + 1}, function=${name})`;
      report.error = { type: "PTCCallBudgetExceeded", message };
      throw new Error(message);
    },
  });
  try {
    const value = await realm.script(await guest.compiled())();
    if (typeof value === "function") report.kind = `[Function] arity=${value.length}`;
    else if (value !== undefined) report.value = shown(value, false);
    guest.end(typeof value === "function" ? undefined : value);
  } catch (error) {
    report.error ??= { type: String(error?.name ?? "Error"), message: String(error?.message ?? error) };
    throw error;
  }
}

/** A value as it is shown there: texts bare outside and quoted inside, keys without quotes. */
function shown(value, plain, nested = false) {
  if (value === undefined) return "undefined";
  if (typeof value === "string") return nested ? `"${value}"` : value;
  if (plain || typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((part) => shown(part, false, true)).join(", ")}]`;
  const fields = Object.entries(value).map(([key, part]) => `${key}: ${shown(part, false, true)}`);
  return `{${fields.join(", ")}}`;
}
