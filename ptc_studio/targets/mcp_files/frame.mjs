// Tools as files in the guest: `./servers/<server>` is a module with an async function for each tool, and files below
// `./workspace` and `./skills` can be written, and stay for the next run in the container.

let fs;
let path;
const SERVER = /^(?:\.{1,2}\/)+servers\/([^/]+?)(?:\/([^/]+?))?(?:\.[mc]?[jt]s)?$/;
const SAVED_MODULE = /^(?:\.{1,2}\/)+((?:skills|workspace)\/.+)$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const FOLDERS = ["workspace", "skills"];
const ENDINGS = ["", ".ts", ".mts", ".mjs", ".js", "/index.ts"];
const MOST_KEPT = 4_000_000; // Bytes of files that are kept for the next run.

export async function run(guest) {
  const { servers } = guest.options;
  const used = FOLDERS.filter((name) => guest.code.includes(name));
  if (used.length) {
    [fs, path] = [guest.builtin("node:fs"), guest.builtin("node:path")];
    openFolders(guest, used);
  }
  const provide = (specifier) => {
    const [, server, file = "index"] = SERVER.exec(specifier) ?? [];
    if (server === undefined) return used.length ? savedModule(guest, specifier, provide) : undefined;
    if (!Object.hasOwn(servers, server)) return undefined;
    const tools = Object.entries(servers[server]).filter(([name]) => file === "index" || name === file);
    if (!tools.length) return undefined;
    return Object.fromEntries(tools.map(([name, tool]) => [name, (input = {}) => call(guest, name, tool, input)]));
  };
  // What published examples use without having imported it; `tools.x()` is the manner of others.
  const free = Object.keys(servers).filter((name) => IDENTIFIER.test(name) && name !== "tools" && !(name in globalThis));
  const files = guest.builtin("node:fs/promises");
  guest.defineGlobals({ fs: files, ...Object.fromEntries(free.map((name) => [name, provide(`./servers/${name}`)])) });
  await guest.module(provide);
}

function call(guest, name, tool, input) {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new TypeError(`${name} takes one object, not ${Array.isArray(input) ? "an array" : `a ${typeof input}`}`);
  return guest.call(tool, [], input);
}

/** What the script saved as a module of its own, or one beside it; its ending may be left out. */
function savedModule(guest, specifier, provide) {
  const [, name] = SAVED_MODULE.exec(specifier) ?? [];
  if (name === undefined || !guest.neighbour) return undefined;
  const file = ENDINGS.map((ending) => path.resolve(name + ending)).find((each) => isFile(each));
  return file && guest.neighbour(file, provide);
}

function isFile(place) {
  return fs.statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Has the script work in a folder in which these can be written: its own, or one that looks like it. */
function openFolders(guest, names) {
  const writable = [".", ...names.filter((name) => fs.existsSync(name))].every(isWritable);
  if (!writable) process.chdir(likeness(guest, process.cwd()));
  for (const name of names) fs.mkdirSync(name, { recursive: true });
  for (const [name, content] of Object.entries(guest.state ?? {})) {
    // In a folder of the user's own that lasts, his files are newer than what the run before left.
    if (writable && fs.existsSync(name)) continue;
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, content, "base64");
  }
  const root = process.cwd();
  // Looked at when the script is over, whatever it is doing then.
  Object.defineProperty(guest, "state", { get: () => written(root, names) });
}

function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A folder of the process's own with everything of that one: as links, and as copies of what may be written. */
function likeness(guest, folder) {
  const made = fs.mkdtempSync(path.join(guest.builtin("node:os").tmpdir(), "files-"));
  for (const name of fs.readdirSync(folder)) {
    const [from, to] = [path.join(folder, name), path.join(made, name)];
    if (FOLDERS.includes(name)) fs.cpSync(from, to, { recursive: true });
    else fs.symlinkSync(from, to);
  }
  return made;
}

/** The files in these folders, by their names, in base64; those that are too much to keep are left out. */
function written(root, names) {
  const found = {};
  let left = MOST_KEPT;
  const look = (folder) => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) look(name);
      if (!entry.isFile()) continue;
      left -= fs.statSync(path.join(root, name)).size;
      if (left >= 0) found[name] = fs.readFileSync(path.join(root, name), "base64");
    }
  };
  names.filter((name) => fs.existsSync(path.join(root, name))).forEach(look);
  return found;
}
