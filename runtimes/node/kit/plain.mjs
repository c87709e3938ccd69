// Turns values of a script into JSON and back: integers of any size and non-finite numbers included.

const TOO_EXACT = /[0-9]{16}|NaN|Infinity/;
const UNUSUAL_NUMBER = /-?Infinity|NaN|-?[0-9][-+.0-9eE]*/g;
const BYTES = "\0bytes"; // The only key of an object that stands for bytes on their way to the host.
const MARK = `#${Math.random().toString(36).slice(2)}:`;

/** Compact JSON; throws a TypeError that names the place of what has no JSON form. */
export function encode(value, place = "the value") {
  try {
    return write(value, place, new Set()) ?? "null";
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError(`${place} is nested too deeply`);
    throw error;
  }
}

/** The value of a JSON text in which integers may have any size and numbers may be NaN or infinite. */
export function decode(text) {
  return TOO_EXACT.test(text) ? JSON.parse(marked(text), revive) : JSON.parse(text);
}

/** The value with bytes, as a Uint8Array, in the place of the texts there. */
export function withBytes(value, places) {
  const whole = { value };
  for (const place of places) {
    const path = ["value", ...place];
    const last = path.pop();
    const room = path.reduce((part, step) => part?.[step], whole);
    if (typeof room?.[last] === "string") room[last] = bytesOf(room[last]);
  }
  return whole.value;
}

function isBytes(value) {
  const kind = Object.prototype.toString.call(value);
  return kind === "[object Uint8Array]" || kind === "[object ArrayBuffer]" || kind === "[object DataView]";
}

function base64(value) {
  const data = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  let text = "";
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
  return btoa(text);
}

function bytesOf(text) {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return text; // Something was hidden in it.
  }
}

function write(value, place, open) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "undefined":
      return undefined;
    case "object":
      return value === null ? "null" : writeObject(value, place, open);
    default:
      throw new TypeError(`${place} is a ${typeof value}, which has no JSON form`);
  }
}

function writeObject(value, place, open) {
  if (open.has(value)) throw new TypeError(`${place} contains itself, which has no JSON form`);
  if (typeof value.then === "function") throw new TypeError(`${place} is a promise: write "await" before it`);
  open.add(value);
  const text = writeOpened(value, place, open);
  open.delete(value);
  return text;
}

function writeOpened(value, place, open) {
  if (Array.isArray(value)) return writeList(value, place, open);
  if (isBytes(value)) return `{${JSON.stringify(BYTES)}:"${base64(value)}"}`;
  if (value instanceof Set || ArrayBuffer.isView(value)) return writeList(Array.from(value), place, open);
  if (value instanceof Map) return writeFields(value, place, open);
  if (typeof value.toJSON === "function") return write(value.toJSON(), place, open);
  if (value instanceof String || value instanceof Number || value instanceof Boolean)
    return write(value.valueOf(), place, open);
  return writeFields(Object.entries(value), place, open);
}

function writeList(list, place, open) {
  let text = "[";
  for (let i = 0; i < list.length; i++) {
    text += (i ? "," : "") + (write(list[i], `${place}[${i}]`, open) ?? "null");
  }
  return text + "]";
}

function writeFields(entries, place, open) {
  let text = "{";
  for (const [key, value] of entries) {
    const written = write(value, `${place}.${String(key)}`, open);
    if (written !== undefined) text += `${text.length > 1 ? "," : ""}${JSON.stringify(String(key))}:${written}`;
  }
  return text + "}";
}

/** Makes texts with a mark of the numbers that JSON.parse would refuse or round; what stands in strings is left alone. */
function marked(text) {
  const pieces = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const outside = text.slice(at, quote < 0 ? text.length : quote);
    pieces.push(outside.replace(UNUSUAL_NUMBER, markNumber));
    if (quote < 0) break;
    const end = endOfString(text, quote);
    pieces.push(text.slice(quote, end));
    at = end;
  }
  return pieces.join("");
}

function markNumber(number) {
  const exact = /^-?[0-9]+$/.test(number) ? Number.isSafeInteger(Number(number)) : Number.isFinite(Number(number));
  return exact ? number : `"${MARK}${number}"`;
}

function endOfString(text, quote) {
  let end = quote;
  let escapes;
  do {
    end = text.indexOf('"', end + 1);
    escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes++;
  } while (escapes % 2);
  return end + 1;
}

function revive(_key, value) {
  if (typeof value !== "string" || !value.startsWith(MARK)) return value;
  const number = value.slice(MARK.length);
  return /^-?[0-9]+$/.test(number) ? BigInt(number) : Number(number);
}
