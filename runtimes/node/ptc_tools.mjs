// Calls the tools of a PTC Studio from a script elsewhere: a container, a CI job, an agent's worker.
//
// One file without dependencies, to copy beside a script. `ptc-studio serve` says what stands in the variables:
//
//   PTC_URL, PTC_JOB_ID, PTC_TOKEN   or IronClaw's names for the same:
//   IRONCLAW_ORCHESTRATOR_URL, IRONCLAW_JOB_ID, IRONCLAW_WORKER_TOKEN
//
//   import { callTool, tools } from "./ptc_tools.mjs";
//   await callTool("add", { a: 1, b: 2 });     // 3
//   await tools.calc.mul({ a: 2, b: 21 });     // by name
//
// A tool that fails throws `ToolError`.

import http from "node:http";
import https from "node:https";
import path from "node:path";
import process from "node:process";

/** Seconds that the host gives a call at most; without a time of the caller's, the tool's own counts. */
const LONGEST = 300;
/** Seconds that this side waits longer than the host, whose answer tells more. */
const MARGIN = 5;
const TRIES = 4;
const BACKOFF = 200;
const VARIABLES = {
  url: ["PTC_URL", "IRONCLAW_ORCHESTRATOR_URL"],
  job: ["PTC_JOB_ID", "IRONCLAW_JOB_ID"],
  token: ["PTC_TOKEN", "IRONCLAW_WORKER_TOKEN"],
};
/** What it looks like when nobody was reached: nothing can have been done. */
const UNREACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** The endpoint cannot be used: a variable is missing, nobody answers, or it refuses the request. */
export class EndpointError extends Error {
  constructor(message, httpStatus = null) {
    super(message);
    this.name = "EndpointError";
    this.httpStatus = httpStatus;
  }
}

/** A call that failed, in the words of the host. */
export class ToolError extends Error {
  constructor(tool, answer) {
    super(answer.error ?? "unknown error");
    this.name = "ToolError";
    this.tool = tool;
    this.status = answer.status ?? "error";
    this.type = answer.error_type ?? null;
  }
}

/** What the tool gives. */
export async function callTool(name, params = {}, { timeoutSecs } = {}) {
  const body = { tool_name: name, parameters: params, format: "json" };
  if (timeoutSecs !== undefined) body.timeout_secs = Math.min(timeoutSecs, LONGEST);
  // A tool of the host's started this process: what it calls counts as called by that tool.
  if (process.env.PTC_CALL_TOKEN) body.call_token = process.env.PTC_CALL_TOKEN;
  const answer = await request("POST", "/tools/call", body, Math.min(timeoutSecs ?? LONGEST, LONGEST) + MARGIN);
  if (!answer.success) throw new ToolError(name, answer);
  return answer.output ?? null;
}

/** What may be called: name, description and parameters of each. */
export async function listTools() {
  return (await request("GET", "/tools", null, 30)).tools;
}

/** `tools.a.b({...})` calls the tool `a.b`. */
export const tools = named("");

/** What a shell command printed, by the granted tool of that name. */
export async function shell(command, timeoutSecs = 60) {
  return callTool(await granted("shell"), { command }, { timeoutSecs });
}

/** The text of a file of the host's. */
export async function readFile(file) {
  return part(await callTool(await granted("read_file"), { path: file }), "content");
}

/** Writes a file of the host's. */
export async function writeFile(file, content) {
  return callTool(await granted("write_file"), { path: file, content });
}

/** The body of a page, fetched by the host. */
export async function httpGet(url, headers, timeoutSecs = 30) {
  const name = await granted("http_get", "http");
  const params = { url, ...(headers ? { headers } : {}), ...(name.endsWith("http") ? { method: "GET" } : {}) };
  return part(await callTool(name, params, { timeoutSecs }), "body");
}

function named(name) {
  return new Proxy(function tool() {}, {
    get: (_target, key) =>
      // A promise would ask for `then`.
      typeof key !== "string" || key === "then" ? undefined : named(name ? `${name}.${key}` : key),
    apply: (_target, _self, [params, options]) => callTool(name, params, options),
  });
}

let listed = null;

/** The granted tool of that name, in whatever namespace; the plain name where there is none, for the host to refuse. */
async function granted(...wanted) {
  listed ??= (await listTools()).map((tool) => tool.name);
  for (const one of wanted) {
    const found = listed.find((name) => name === one || name.split(".").at(-1) === one);
    if (found) return found;
  }
  return wanted[0];
}

function part(value, key) {
  return value !== null && typeof value === "object" && key in value ? value[key] : value;
}

function setting(what) {
  const [ours, theirs] = VARIABLES[what];
  const value = process.env[ours] || process.env[theirs];
  if (!value) {
    throw new EndpointError(`The variable ${ours} (or ${theirs}) is not set: \`ptc-studio serve\` says what belongs there.`);
  }
  return value;
}

/** The answer of the endpoint. Sent again only where nothing can have been done: not reached, or turned away. */
async function request(method, target, body, seconds) {
  const base = setting("url").replace(/\/+$/, "");
  if (!/^https?:\/\/[^/]/.test(base)) throw new EndpointError(`'${base}' is no address of an endpoint: it begins with http://`);
  const url = new URL(`${base}/worker/${encodeURIComponent(setting("job"))}${target}`);
  const headers = {
    Authorization: `Bearer ${setting("token")}`,
    "Content-Type": "application/json",
    "User-Agent": `ptc_tools.mjs (${path.basename(process.argv[1] ?? "node")})`,
  };
  const data = body === null ? undefined : JSON.stringify(body);
  for (let left = TRIES - 1; ; left--) {
    let answer;
    try {
      answer = await sent(url, { method, headers }, data, seconds);
    } catch (error) {
      if (!UNREACHED.has(error.code)) throw broken(error);
      if (!left) throw new EndpointError(`Nobody answers at ${base}: ${error.message}. Is the endpoint still being served?`);
      await pause(BACKOFF * (TRIES - left));
      continue;
    }
    if ((answer.status === 429 || answer.status === 503) && left) {
      await pause(Math.min(Number(answer.headers["retry-after"] || 0.2), 5) * 1000);
      continue;
    }
    return document(answer);
  }
}

function sent(url, options, data, seconds) {
  return new Promise((resolve, reject) => {
    const asked = (url.protocol === "https:" ? https : http).request(url, options, (answer) => {
      const pieces = [];
      answer.on("data", (piece) => pieces.push(piece));
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(pieces).toString() }));
    });
    const late = new EndpointError(`No answer came within ${seconds} s.`);
    const timer = setTimeout(() => asked.destroy(late), seconds * 1000);
    asked.on("close", () => clearTimeout(timer));
    asked.on("error", reject);
    asked.end(data);
  });
}

function broken(error) {
  if (error instanceof EndpointError) return error;
  return new EndpointError(`The connection broke before the answer came (${error.message}); whether the call was made is not known.`);
}

function document({ status, text }) {
  let found = {};
  try {
    found = JSON.parse(text);
  } catch {
    // What it says stands in the error below.
  }
  if (status === 200) return found;
  throw new EndpointError(`HTTP ${status}: ${found?.error ?? text.slice(0, 200)}`, status);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
