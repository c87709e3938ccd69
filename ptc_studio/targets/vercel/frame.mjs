// The AI SDK's code mode in the guest: the body of an async function, `tools` of any name, JSON in and out, and limits.

const INSIDE = `({ host, invoke }) => {
  for (const name of ["SharedArrayBuffer", "Atomics", "WebAssembly"]) delete globalThis[name];
  /** What a call gives: it knows whether anybody ever asked for its result, for to do so is to ask for its constructor. */
  const Call = Object.create(Promise.prototype, {
    constructor: { get() { host.observed(this); return Promise; } },
  });
  const failure = (message, code) => Object.assign(new Error(message), { name: "RunError", code });
  const perform = async (name, input) => {
    const refused = host.begin(name);
    if (refused) throw failure(refused, "CODE_MODE_TOOL_ERROR");
    try { return await invoke(host.tool(name), input); }
    catch (error) {
      const invalid = host.invalid(name, error.message);
      const failed = invalid ? failure(invalid, "CODE_MODE_TOOL_ERROR") : failure("Host tool failed.", "CODE_MODE_HOST_TOOL_ERROR");
      Object.defineProperty(failed, "stack", { value: error.stack, configurable: true, writable: true });
      throw failed;
    }
    finally { host.finish(); }
  };
  const call = (name, input) => {
    const made = Object.setPrototypeOf(perform(name, input), Call);
    host.made(made, name);
    return made;
  };
  const shown = (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)));
  const print = (stream) => (...values) => void host.log(values.map(shown).join(" "), stream);
  globalThis.console = { log: print("stdout"), info: print("stdout"), debug: print("stdout"), error: print("stderr") };
  globalThis.tools = new Proxy(Object.create(null), { get: (_none, name) => (input) => call(String(name), input) });
}`;

const bytes = (text) => new TextEncoder().encode(text).length;

export async function run(guest) {
  const { limits, order } = guest.options;
  const unobserved = new Map();
  let calls = 0;
  let inFlight = 0;
  let printed = 0;
  let broken = null;
  guest.report = { finished: false };
  const realm = await guest.realm(INSIDE, {
    tool: (name) => guest.names[name],
    begin: (name) => {
      calls++;
      inFlight++;
      if (calls > limits.calls) broken = `JavaScript runtime exceeded the ${limits.calls} bridge request limit.`;
      if (inFlight > limits.inFlight)
        broken ??= `JavaScript runtime exceeded the ${limits.inFlight} in-flight bridge request limit.`;
      if (!broken && Object.hasOwn(guest.names, name)) return null;
      inFlight--;
      return broken ?? `Unknown tool: ${name}`;
    },
    finish: () => void inFlight--,
    invalid: (name, message) => {
      const [, why] = /^Invalid parameters for tool '.*?': ([^]*)$/.exec(message) ?? [];
      return why ? `Invalid input for tool "${name}": ${why}` : null;
    },
    made: (call, name) => void unobserved.set(call, { name, place: guest.place() }),
    observed: (call) => void unobserved.delete(call),
    log: (line, stream) => {
      printed += bytes(line) + 1;
      if (printed <= limits.console) guest.write(line, stream);
    },
  });
  const result = await realm.script(await guest.compiled())().catch((error) => {
    throw broken ? Object.assign(error, { message: broken }) : error;
  });
  if (broken) throw new Error(broken);
  const [detached] = unobserved.values();
  if (detached) {
    const name = Object.hasOwn(order, detached.name) ? `tool${order[detached.name]}` : "missing";
    const message = `JavaScript runtime created an unawaited hostFunction bridge request: __codeMode.${name}.`;
    throw guest.failure(message, detached.place());
  }
  const json = result === undefined ? undefined : JSON.stringify(result);
  if (json !== undefined && bytes(json) > limits.result)
    throw new Error(`Code mode result exceeds the ${limits.result} byte size limit.`);
  const value = json === undefined ? undefined : JSON.parse(json);
  guest.report = { finished: true, ...(value === undefined ? {} : { result: value }) };
  guest.end(value);
}
