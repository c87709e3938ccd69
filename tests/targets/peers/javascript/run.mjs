// Runs programs in the real packages of the targets. usage: run.mjs FOLDER < [{"target", "code"}] > [reply]
// FOLDER has the node_modules with the packages; the tools are those of tests/targets/tools.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const PATIENCE = 60_000; // Milliseconds: a busy machine must not look like a difference.

const folder = path.resolve(process.argv[2]);
const load = (file) => import(pathToFileURL(path.join(folder, "node_modules", file)).href);
const entry = (name) => import(pathToFileURL(createRequire(path.join(folder, "x.js")).resolve(name)).href);

const fails = (reason) => {
  throw new Error(reason);
};
const TOOLS = {
  price: { parameters: { item: "string", qty: "number?" }, run: ({ item, qty = 1 }) => (item === "nothing" ? fails(item) : 2.5 * qty) },
  stock: { parameters: { item: "string" }, run: ({ item }) => ({ item, count: 7, tags: ["red", "ripe"] }) },
  greet: { parameters: { name: "string" }, run: ({ name }) => `hello ${name}` },
  add: { parameters: { a: "number", b: "number" }, run: ({ a, b }) => a + b },
  tags: { parameters: { item: "string" }, run: () => ["red", "ripe"] },
  fail: { parameters: { reason: "string" }, run: ({ reason }) => fails(reason) },
  slow: { parameters: { seconds: "number" }, run: ({ seconds }) => new Promise((done) => setTimeout(() => done("late"), seconds * 1000)) },
  shell: { parameters: { command: "string" }, run: ({ command }) => `ran ${command}` },
};

// In the order in which ours come: a stack of UTCP's has the place of a tool among the others.
const sorted = Object.fromEntries(Object.entries(TOOLS).sort(([a], [b]) => (a < b ? -1 : 1)));

const RUNNERS = { cloudflare, "cloudflare-mcp": cloudflareMcp, utcp, vercel, tanstack };

const cloudflareChunk = (name) => {
  const dist = path.join(folder, "node_modules/@cloudflare/codemode/dist");
  const file = readdirSync(dist).find((each) => each.startsWith(name) && each.endsWith(".js"));
  return load(`@cloudflare/codemode/dist/${file}`);
};

/** The package's own normalising and reply; its executor needs Cloudflare's runtime, so a function stands in for that. */
async function cloudflareExecutor() {
  const { s: normalizeCode, a: sanitizeToolName } = await cloudflareChunk("json-schema-types");
  const execute = async (text) => {
    const logs = [];
    const print = (mark) => (...values) => void logs.push(mark + values.map(String).join(" "));
    const console = { log: print(""), warn: print("[warn] "), error: print("[error] ") };
    const tools = Object.fromEntries(Object.entries(TOOLS).map(([name, { run }]) => [sanitizeToolName(name), run]));
    const codemode = new Proxy({}, {
      get: (_none, name) => async (...args) => {
        if (!Object.hasOwn(tools, name)) throw new Error(`Tool "${name}" not found`);
        return tools[name](...args);
      },
    });
    try {
      const result = await new Function("codemode", "console", `return (\n${normalizeCode(text)}\n)()`)(codemode, console);
      return { result, logs };
    } catch (error) {
      return { result: undefined, error: error.message, logs };
    }
  };
  return { execute };
}

async function cloudflare(code) {
  const { t: runCode } = await cloudflareChunk("run-code");
  try {
    return await runCode({ code, executor: await cloudflareExecutor(), providers: [] });
  } catch (error) {
    return error.message;
  }
}

async function cloudflareMcp(code) {
  const { codeMcpServer } = await load("@cloudflare/codemode/dist/mcp.js");
  const { McpServer } = await load("@modelcontextprotocol/sdk/dist/esm/server/mcp.js");
  const { Client } = await load("@modelcontextprotocol/sdk/dist/esm/client/index.js");
  const { InMemoryTransport } = await load("@modelcontextprotocol/sdk/dist/esm/inMemory.js");
  const wrapped = new McpServer({ name: "shop", version: "1" });
  wrapped.registerTool("greet", { description: "" }, async () => ({ content: [] }));
  const server = await codeMcpServer({ server: wrapped, executor: await cloudflareExecutor() });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "peer", version: "1" });
  await client.connect(near);
  return (await client.callTool({ name: "code", arguments: { code } })).content[0].text;
}

async function utcp(code) {
  const { CodeModeUtcpClient } = await load("@utcp/code-mode/dist/index.js");
  const client = await CodeModeUtcpClient.create();
  const properties = (parameters) => Object.fromEntries(Object.entries(parameters).map(([name, type]) => [name, { type: type.replace("?", "") }]));
  client.getTools = async () =>
    Object.entries(sorted).map(([name, { parameters }]) => ({
      name,
      description: "",
      tags: [],
      inputs: { type: "object", properties: properties(parameters), required: [] },
      outputs: {},
    }));
  client.callTool = async (name, args) => TOOLS[name].run(args);
  return client.callToolChain(code, PATIENCE);
}

async function vercel(js) {
  const { experimental_runCodeMode: runCodeMode } = await load("@ai-sdk/code-mode/dist/index.js");
  const { z } = await entry("zod");
  const schema = (parameters) =>
    z.object(Object.fromEntries(Object.entries(parameters).map(([name, type]) => [name, type.startsWith("string") ? z.string() : z.number().optional()])));
  const tools = Object.fromEntries(
    Object.entries(TOOLS).map(([name, { parameters, run }]) => [name, { inputSchema: schema(parameters), execute: async (input) => run(input) }]),
  );
  try {
    return (await runCodeMode({ js, tools, options: { executionPolicy: { timeoutMs: PATIENCE } } })) ?? null;
  } catch (error) {
    return error.message;
  }
}

async function tanstack(typescriptCode) {
  const { createCodeModeTool } = await load("@tanstack/ai-code-mode/dist/esm/index.js");
  const { createNodeIsolateDriver } = await load("@tanstack/ai-isolate-node/dist/esm/index.js");
  const tools = Object.entries(TOOLS).map(([name, { run }]) => ({ name, description: "", inputSchema: { type: "object" }, execute: async (input) => run(input) }));
  const tool = createCodeModeTool({ driver: createNodeIsolateDriver({ skipProbe: true }), tools, timeout: PATIENCE });
  return tool.execute({ typescriptCode });
}

const replies = [];
for (const { target, code } of JSON.parse(readFileSync(0, "utf8"))) replies.push((await RUNNERS[target](code)) ?? null);
process.stdout.write(JSON.stringify(replies), () => process.exit(0));
