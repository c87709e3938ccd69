// The entry for Node.js and Bun. `--typescript` says that every script is TypeScript, whatever its file is called;
// a further argument names the program whose compiler is used for it, where Node.js has none.

import process from "node:process";
import { inspect } from "node:util";
import { serve } from "./guest.mjs";
import { BunPipes, NodePipes } from "./pipes.mjs";

const [readFd, writeFd] = process.env.PTC_CHANNEL.split(",").map(Number);
const token = process.env.PTC_TOKEN;
delete process.env.PTC_CHANNEL;
delete process.env.PTC_TOKEN;

const inBun = typeof Bun !== "undefined";
const pipes = new (inBun ? BunPipes : NodePipes)(readFd, writeFd);
const { prepare, warm, ...more } = await (inBun ? import("./engine_bun.mjs") : import("./engine_node.mjs"));
const options = process.argv.slice(2);
const typescript = options.includes("--typescript");
const compiler = options.find((option) => !option.startsWith("--"));
const how = { typescript, compiler };
serve({ ...more, pipes, token, inspect, warm: () => warm?.(how), prepare: (start) => prepare(start, how) });
