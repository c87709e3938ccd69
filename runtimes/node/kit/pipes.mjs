// The channel's two pipes in Node.js and Bun.

import { Buffer } from "node:buffer";
import fs from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { isQuiet } from "./quiet.mjs";

const CHUNK = 1 << 16;
const LINGER_MS = 60_000;
const LOOK_MS = 20;
const IDLE_MS = 1000;

class Pipes {
  constructor(readFd, writeFd) {
    this._readFd = readFd;
    this._writeFd = writeFd;
    this._buffer = Buffer.allocUnsafe(CHUNK);
  }

  write(text) {
    let bytes = Buffer.from(text);
    while (bytes.length) bytes = bytes.subarray(fs.writeSync(this._writeFd, bytes));
  }

  /** Waits for bytes. */
  read() {
    const count = fs.readSync(this._readFd, this._buffer);
    if (!count) process.reallyExit(1);
    return this._buffer.subarray(0, count);
  }

  /** Waits until the studio ends this process or is gone. */
  linger() {
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (const end = Date.now() + LINGER_MS; Date.now() < end && !this._gone();) Atomics.wait(clock, 0, 0, LOOK_MS);
    process.reallyExit(1);
  }

  /** Whether the studio has closed its end. */
  _gone() {
    try {
      return fs.readSync(this._readFd, this._buffer) === 0;
    } catch (error) {
      return error.code !== "EAGAIN";
    }
  }
}

/** Node.js: reads where the script waits, as long as it does nothing else; then the event loop watches the pipe. */
export class NodePipes extends Pipes {
  blocking = true;
  _clock = new Int32Array(new SharedArrayBuffer(4));

  expect() {}

  listen(onBytes) {
    this._onBytes = onBytes;
    // A script that lives on without calling anything is to notice, too, when the studio is gone.
    setTimeout(() => this._open(), IDLE_MS).unref();
  }

  hold() {
    this._open().ref();
  }

  release() {
    this._socket?.unref();
  }

  /** Waits for bytes, also once the event loop watches the pipe: then it gives nothing rather than wait. */
  read() {
    for (;;) {
      try {
        return super.read();
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
        Atomics.wait(this._clock, 0, 0, 1);
      }
    }
  }

  /** From here on the pipe cannot be waited for otherwise. */
  _open() {
    if (this._socket) return this._socket;
    this.blocking = false;
    const { Socket } = createRequire(import.meta.url)("node:net");
    this._socket = new Socket({ fd: this._readFd, readable: true, writable: false });
    this._socket.on("data", this._onBytes);
    this._socket.on("close", () => process.reallyExit(1));
    return this._socket.unref();
  }

  soon(send) {
    process.nextTick(send);
  }

  /** Whether nothing but the channel can wake the script: the only pipes are the channel, stdout and stderr. */
  quiet() {
    const active = process.getActiveResourcesInfo();
    return active.length <= 3 && active.every((kind) => kind === "PipeWrap" || kind === "CloseReq");
  }
}

/** Bun: no socket over a descriptor; the pipe is read while a call is under way, by a thread of Bun's own if need be. */
export class BunPipes extends Pipes {
  blocking = true;

  expect(code) {
    this._quiet = isQuiet(code);
  }

  listen(onBytes) {
    this._onBytes = onBytes;
    this._held = false;
    this._reading = false;
  }

  hold() {
    this._held = true;
    if (!this._reading) this._readOn();
  }

  release() {
    this._held = false;
  }

  soon(send) {
    process.nextTick(send);
  }

  quiet() {
    return this._quiet;
  }

  _readOn() {
    this._reading = true;
    fs.read(this._readFd, this._buffer, 0, CHUNK, null, (error, count) => {
      if (error || !count) process.reallyExit(1);
      this._reading = false;
      this._onBytes(this._buffer.subarray(0, count));
      if (this._held && !this._reading) this._readOn();
    });
  }
}
