// pctx's convention in the guest, which is Deno: a global for each namespace of tools, and the value of `run()`.

export async function run(guest) {
  const spaces = {};
  for (const [name, tool] of Object.entries(guest.names)) {
    const [space, member] = name.split(".");
    (spaces[space] ??= {})[member] = async (input = {}) => guest.call(tool, [], input);
  }
  guest.defineGlobals({ ...guest.inputs, ...spaces });
  const module = await guest.module();
  const value = await module.default;
  guest.report = value === undefined ? {} : { output: value };
  return value;
}
