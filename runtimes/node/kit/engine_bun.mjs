// Executes a script in Bun, as a module that stands in its folder without being there.

import path from "node:path";
import { placed } from "./errors.mjs";
import { lineOfImport } from "./imports.mjs";

/** The script as a module: `run` evaluates it. */
export function prepare({ code, source, filename, directory }, { typescript }) {
  const file = path.resolve(directory ?? "", path.basename(filename));
  const loader = typescript || /\.[mc]?ts$/.test(filename) ? "ts" : "js";
  Bun.plugin({
    name: "script",
    setup: (build) => build.module(file, () => ({ contents: code, loader })),
  });
  return { file, run: () => import(file).catch((error) => Promise.reject(explained(error, { file, filename, source }))) };
}

/** Bun's own messages, of errors in a text and of imports that fail, as errors with their place. */
function explained(error, { file, filename, source }) {
  const message = String(error?.message).replaceAll(file, filename);
  const { position } = error ?? {};
  if (error?.name === "BuildMessage" && position) {
    const shown = `${filename}:${position.line}\n${position.lineText}\n${" ".repeat(position.column - 1)}^\n\n`;
    return placed(
      new SyntaxError(message),
      position.file === file ? position.line : null,
      `${shown}SyntaxError: ${message}`,
    );
  }
  const line = /not find|not found/.test(message) ? lineOfImport(source, message) : null;
  if (!line) return error;
  const plain = error.name === "ResolveMessage" ? new Error(message) : error;
  return placed(plain, line, `${filename}:${line}\n${plain.name}: ${message}`);
}
