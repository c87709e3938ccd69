// UTCP's code mode in the guest: the body of an async function, and tools that give their value there and then.

const INSIDE = `({ host, invokeNow }) => {
  globalThis.global = globalThis;
  for (const name of ["console", "SharedArrayBuffer", "Atomics", "WebAssembly"]) delete globalThis[name];
  const shown = (value) => (typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : String(value));
  const print = (mark) => (...values) => void host.log(mark + values.map(shown).join(" "), mark);
  globalThis.console = { log: print(""), error: print("[ERROR] "), warn: print("[WARN] "), info: print("[INFO] ") };
  for (const [name, tool] of host.names()) {
    const call = (input) => {
      try { return invokeNow(tool, input || {}); } catch (error) { host.failedIn(error, name); throw error; }
    };
    const [manual, member] = name.split(".");
    if (member === undefined) globalThis[manual] = call;
    else (globalThis[manual] ||= {})[member] = call;
  }
  globalThis.__interfaces = host.interfaces();
  globalThis.__getToolInterface = (name) => host.interfaceOf(String(name)) ?? null;
}`;

export async function run(guest) {
  const logs = [];
  const { all, each } = guest.options.interfaces;
  const failedIn = new WeakMap();
  guest.report = { logs, error: null };
  const realm = await guest.realm(INSIDE, {
    names: () => Object.entries(guest.names),
    failedIn: (error, name) => void failedIn.set(error, name),
    interfaces: () => all,
    interfaceOf: (name) => (Object.hasOwn(each, name) ? each[name] : undefined),
    log: (line, mark) => {
      logs.push(line);
      guest.write(line, mark === "[ERROR] " ? "stderr" : "stdout");
    },
  });
  try {
    const result = await realm.script(await guest.compiled())();
    const crossed = JSON.parse(crossing(result, guest));
    guest.report = { logs, error: null, ...crossed };
    guest.end(crossed.result);
  } catch (error) {
    guest.report = { logs, error: textOf(error, guest, failedIn.get(error)) };
    throw error;
  }
}

/** As a result crosses the border there: JSON, and nothing is null. */
function crossing(result, guest) {
  try {
    return JSON.stringify({ result: result === undefined ? null : result });
  } catch (error) {
    const line = guest.code.split("\n").length + 6;
    const stack = `${error.name}: ${error.message}\n    at JSON.stringify (<anonymous>)\n    at <isolated-vm>:${line}:56`;
    throw Object.assign(new TypeError(error.message), { told: stack });
  }
}

/** An error as it is told there: its stack, in which the script begins in line 5 of what is executed. */
function textOf(error, guest, tool) {
  if (typeof error !== "object" || error === null || !error.stack) return String(error);
  if (error.told) return error.told;
  const stack = error.stack.split("\n");
  if (stack[0].startsWith(`${guest.filename}:`)) {
    // A text that cannot be compiled: V8 writes the place above the message. What stands before line 1 is as long there.
    const line = Number(stack[0].split(":").at(-1));
    return `${error.message} [<isolated-vm>:${line + 4}:${stack[2].indexOf("^") + 1}]`;
  }
  const place = new RegExp(`${guest.filename.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}:([0-9]+):([0-9]+)`);
  const moved = (_all, line, column) =>
    `<isolated-vm>:${Number(line) + 4}:${line === "1" ? Number(column) + 14 : column}`;
  const shown = stack.filter((line) => place.test(line) || /^ {4}at (?:new )?[\w.]+ \(<anonymous>\)$/.test(line));
  const own = guest.positions.shown(shown).map((frame) => frame.replace(place, moved));
  const called = tool === undefined ? [] : [`    at global.${tool} (<isolated-vm>:${guest.options.lines[tool]}:40)`];
  const lines = guest.code.split("\n").length;
  const around = stack.some((line) => /^ {4}at (?!async ).*frame-of-/.test(line))
    ? [`    at <isolated-vm>:${lines + 5}:15`, `    at <isolated-vm>:${lines + 10}:11`]
    : ["    at async <isolated-vm>:4:30"];
  return [`${error.name}: ${error.message}`, ...called, ...own, ...around].join("\n");
}
