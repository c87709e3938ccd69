// OpenAI's convention in the guest: a fresh V8 without Node's globals, `tools.name({...})`, `text(v)` and `image(v)`.

import vm from "node:vm";

export async function run(guest) {
  const output = [];
  guest.report = { output };
  const tools = {};
  for (const [name, tool] of Object.entries(guest.names)) tools[name] = (given) => answer(guest, tool, given);
  const context = vm.createContext({
    ...guest.inputs,
    tools,
    text: (value) => void output.push(typeof value === "string" ? value : JSON.stringify(value)),
    image: (value) => void output.push(JSON.stringify(value)),
  });
  const module = new vm.SourceTextModule(guest.code, { context, identifier: guest.filename });
  await module.link(() => {
    throw new Error("there are no modules to import here");
  });
  await module.evaluate();
  return undefined;
}

async function answer(guest, tool, given) {
  const value = await guest.call(tool, [], given ?? {});
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
