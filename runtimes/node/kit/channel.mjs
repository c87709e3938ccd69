// The guest's end of the channel: sends calls, and gives each answer to the promise that waits for it.

import { decode, encode } from "./plain.mjs";

const NEWLINE = 10;

/** Frames in, frames out. `pipes` is how the engine at hand reads and writes. */
export class Channel {
  constructor(pipes) {
    this._pipes = pipes;
    this._decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this._parts = [];
    this._calls = new Map();
    this._unsent = [];
    this._lastId = 0;
  }

  send(frame) {
    this._pipes.write(`${encode(frame)}\n`);
  }

  /** Waits for the next frame; before the script starts. */
  receive() {
    for (;;) {
      const [frame] = this._framesIn(this._pipes.read());
      if (frame) return decode(frame);
    }
  }

  /** From here on answers are expected. */
  listen() {
    this._pipes.listen((bytes) => this._take(bytes));
  }

  /** Calls a tool: `request` is the rest of the frame, as JSON; resolves to the frame of the answer. */
  call(request) {
    const id = ++this._lastId;
    return new Promise((resolve) => {
      this._calls.set(id, resolve);
      this._unsent.push({ id, request });
      // Sent once the script has nothing more to do for the moment: then it is known whether the call is alone.
      if (this._unsent.length === 1) this._pipes.soon(() => this._flush());
    });
  }

  /** Calls a tool and waits for the answer there and then; what was to be sent before is sent first. */
  callNow(request) {
    this._sendCalls(false);
    const id = ++this._lastId;
    let answer = null;
    this._calls.set(id, (frame) => {
      answer = frame;
    });
    this._pipes.write(`{"type":"call","id":${id},"wait":${this._calls.size === 1},${request}}\n`);
    while (!answer) this._take(this._pipes.read());
    return answer;
  }

  /** Says how the script ended and waits to be ended. */
  finish(ending) {
    this._sendCalls(false);
    this._pipes.write(ending);
    this._pipes.linger();
  }

  /** Sends the calls that were made since the last time, and waits for the answer where nothing else can be done. */
  _flush() {
    if (!this._unsent.length) return;
    const alone = this._calls.size === 1 && this._pipes.quiet();
    const blocks = alone && this._pipes.blocking;
    if (!blocks) this._pipes.hold();
    this._sendCalls(alone);
    while (blocks && this._calls.size) this._take(this._pipes.read());
  }

  _sendCalls(wait) {
    const frames = this._unsent.map(({ id, request }) => `{"type":"call","id":${id},"wait":${wait},${request}}\n`);
    this._unsent = [];
    if (frames.length) this._pipes.write(frames.join(""));
  }

  _take(bytes) {
    for (const frame of this._framesIn(bytes)) this._dispatch(decode(frame));
  }

  _dispatch(frame) {
    const resolve = this._calls.get(frame.id);
    if (!resolve) {
      if (frame.type === "error") console.error(`ptc: ${frame.message}`);
      return;
    }
    this._calls.delete(frame.id);
    if (!this._calls.size) this._pipes.release();
    resolve(frame);
  }

  /** The texts of the frames that are complete with these bytes. */
  _framesIn(bytes) {
    const frames = [];
    let from = 0;
    for (let end; (end = bytes.indexOf(NEWLINE, from)) >= 0; from = end + 1) {
      this._parts.push(bytes.subarray(from, end));
      frames.push(this._taken());
    }
    // A copy, which the `slice` of a Buffer would not be: the bytes may lie in memory that is used again.
    if (from < bytes.length) this._parts.push(new Uint8Array(bytes.subarray(from)));
    return frames;
  }

  _taken() {
    const parts = this._parts;
    this._parts = [];
    if (parts.length === 1) return this._decoder.decode(parts[0]);
    const text = parts.map((part) => this._decoder.decode(part, { stream: true })).join("");
    return text + this._decoder.decode();
  }
}
