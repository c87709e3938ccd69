// OpenAI's convention in the guest: a fresh V8 without Node's globals, `tools.name({...})`, `text(v)` and `image(v)`.

const INSIDE = `({ host, invoke }) => {
  const parsed = (value) => {
    if (typeof value !== "string") return value;
    try { return JSON.parse(value); } catch { return value; }
  };
  const shown = (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : String(value));
  const tools = {};
  for (const [name, tool] of host.names()) tools[name] = async (input) => parsed(await invoke(tool, input));
  Object.assign(globalThis, {
    tools,
    text: (value) => void host.text(shown(value)),
    image: (value) => void host.image(JSON.stringify(value)),
  });
}`;

export async function run(guest) {
  const output = [];
  guest.report = { output };
  const realm = await guest.realm(INSIDE, {
    names: () => Object.entries(guest.names),
    text: (text) => {
      output.push(text);
      guest.write(text);
    },
    image: (json) => {
      output.push(json);
      guest.write("[image]");
    },
  });
  await realm.module(await guest.compiled());
  guest.end(undefined);
}
