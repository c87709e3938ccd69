// Turns TypeScript into JavaScript, with the compiler that is there: that of Node.js, of tsx or of ts-node.

import module, { createRequire } from "node:module";
import { realpathSync } from "node:fs";
import { placed } from "./errors.mjs";

const same = (line) => line;

/** The JavaScript, and a function from its lines to those of the script. */
export function javascriptOf(script, program) {
  return program ? compiledBy(createRequire(realpathSync(program)), script) : stripped(script);
}

/** Node.js blanks types out, so that every line stays; enums and the like it can only translate. */
function stripped({ code, filename }) {
  if (!module.stripTypeScriptTypes) throw new Error("this Node.js knows no TypeScript: run the script as TypeScript");
  try {
    return { code: module.stripTypeScriptTypes(code), line: same };
  } catch {
    try {
      return withMap(module.stripTypeScriptTypes(code, { mode: "transform", sourceMap: true, sourceUrl: filename }));
    } catch (error) {
      throw located(error, filename);
    }
  }
}

/** By the compiler that tsx or ts-node has beside it. */
function compiledBy(require, script) {
  let esbuild;
  try {
    esbuild = require("esbuild");
  } catch {
    return byTypescript(require("typescript"), script);
  }
  return byEsbuild(esbuild, script);
}

function byEsbuild(esbuild, { code, filename }) {
  try {
    const options = { loader: "ts", target: "es2022", sourcemap: "inline", sourcefile: filename, logLevel: "silent" };
    return withMap(esbuild.transformSync(code, options).code);
  } catch (error) {
    const [first] = error.errors ?? [];
    if (!first) throw error;
    throw placed(new SyntaxError(first.text), first.location?.line ?? null, error.message);
  }
}

function byTypescript(typescript, { code, filename }) {
  const compilerOptions = { target: "ES2022", module: "ESNext", inlineSourceMap: true };
  const { outputText, diagnostics = [] } = typescript.transpileModule(code, {
    compilerOptions,
    fileName: filename,
    reportDiagnostics: true,
  });
  const [first] = diagnostics;
  if (!first) return withMap(outputText);
  const message = typescript.flattenDiagnosticMessageText(first.messageText, "\n");
  const line = first.file.getLineAndCharacterOfPosition(first.start).line + 1;
  throw placed(
    new SyntaxError(message),
    line,
    `${filename}:${line}\n${code.split("\n")[line - 1]}\n\nSyntaxError: ${message}`,
  );
}

function withMap(code) {
  const [, encoded] = /\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,(\S+)/.exec(code) ?? [];
  if (!encoded) return { code, line: same };
  const map = new module.SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()));
  const line = (number, column = 1) => (map.findEntry(number - 1, column - 1).originalLine ?? number - 1) + 1;
  return { code, line };
}

/** An error of Node.js's own compiler, whose place stands only in its text: `:2` before it or `,-[2:1]` in it. */
function located(error, filename) {
  const [, older, newer] = /,-\[([0-9]+):|^[^\n]*:([0-9]+)$/m.exec(error.stack) ?? [];
  const message = error.message.replace(/^\s*x /, "").split("\n")[0];
  const line = Number(older ?? newer) || null;
  const shown = newer ? `${error.stack.split("\n\n")[0].replace(/^[^\n]*/, `${filename}:${line}`)}\n\n` : "";
  return placed(new SyntaxError(message), line, `${shown}SyntaxError: ${message}`);
}
