// Goose's code mode of 2025 in the guest: a module for each extension, whose functions give text there and then.

export async function run(guest) {
  const { extensions } = guest.options;
  const provide = (specifier) => {
    if (!Object.hasOwn(extensions, specifier)) return undefined;
    const tools = Object.entries(extensions[specifier]);
    return Object.fromEntries(tools.map(([name, tool]) => [name, (input = {}) => text(guest.callNow(tool, [], input))]));
  };
  let recorded;
  guest.defineGlobals({ record_result: (value) => void (recorded = value) });
  const module = await guest.module(provide);
  const value = recorded === undefined ? await module.default : recorded;
  guest.report = { value: value === undefined ? null : text(value) };
  guest.end(value);
}

function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
