// Finds the line of an error in the text of a script, which Node.js keeps to itself for modules.

import { spawnSync } from "node:child_process";
import { placed } from "./errors.mjs";

/** The error with its place. Only `node --check` tells it; an error can wait for a second process. */
export function located(error, { code, filename }) {
  const { stderr } = spawnSync(process.execPath, ["--check", "--input-type=module", "-"], {
    input: code,
    encoding: "utf8",
  });
  const found = /^\[stdin\]:([0-9]+)\n([^]*?)\n\n/.exec(stderr ?? "");
  const line = found ? Number(found[1]) : null;
  const shown = found ? `${filename}:${line}\n${found[2]}\n\n` : "";
  return placed(error, line, `${shown}SyntaxError: ${error.message}`);
}
