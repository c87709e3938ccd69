// TanStack's code mode in the guest: the body of an async function, `external_x({...})`, and console as logs.

const INSIDE = `({ host, invoke }) => {
  globalThis.global = globalThis;
  for (const name of ["SharedArrayBuffer", "Atomics", "WebAssembly"]) delete globalThis[name];
  const shown = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const print = (mark) => (...values) => void host.log(mark + values.map(shown).join(" "), mark);
  globalThis.console = { log: print(""), error: print("ERROR: "), warn: print("WARN: "), info: print("INFO: ") };
  for (const [name, tool] of host.names()) globalThis[name] = async (input) => await invoke(tool, input ?? {});
}`;

/** What V8 says there of an import, in its place among what is executed; here whatever takes out the types says it first. */
function importRefused(code, { index, 0: found }) {
  const before = code.slice(0, index).split("\n");
  return `Cannot use import statement outside a module [<isolated-vm>:${before.length + 4}:${found.length - 5}]`;
}

export async function run(guest) {
  const logs = [];
  guest.report = { logs, error: null };
  const realm = await guest.realm(INSIDE, {
    names: () => Object.entries(guest.names),
    log: (line, mark) => {
      logs.push(line);
      guest.write(line, mark === "ERROR: " ? "stderr" : "stdout");
    },
  });
  try {
    const result = await realm.script(await guest.compiled())();
    const json = JSON.stringify(result);
    const value = json === undefined ? undefined : JSON.parse(json);
    guest.report = { logs, error: null, ...(value === undefined ? {} : { result: value }) };
    guest.end(value);
  } catch (error) {
    const known = typeof error === "object" && error !== null;
    const place = /^[ \t]*import\b/m.exec(guest.code);
    if (known && place && error.name === "SyntaxError") error.message = importRefused(guest.code, place);
    guest.report.error = known
      ? { message: String(error.message || "Unknown error"), name: String(error.name || "Error") }
      : { message: String(error), name: typeof error === "string" ? "Error" : "UnknownError" };
    throw error;
  }
}
