// Finds the import statements of a script in its text: good enough to name a line.

const STATIC = /^[ \t]*(?:import|export)\b[^;'"]*?(["'])([^"'\n]+)\1/gm;
const DYNAMIC = /\bimport\s*\(\s*(["'])([^"'\n]+)\1/g;

/** The line of the import whose specifier, or the end of it, the message of an error quotes; or null. */
export function lineOfImport(code, message) {
  for (const found of code.matchAll(STATIC)) {
    const name = found[2].replace(/^(?:\.{0,2}\/)+/, "");
    if (message.includes(`${name}'`)) return code.slice(0, found.index + found[0].length).split("\n").length;
  }
  return null;
}

/** The code with the neighbours that it imports named by their whole addresses. */
export function withWholeAddresses(code, base) {
  const whole = (statement, quote, specifier) =>
    /^\.{1,2}\//.test(specifier)
      ? `${statement.slice(0, -specifier.length - 1)}${new URL(specifier, base).href}${quote}`
      : statement;
  return code.replace(STATIC, whole).replace(DYNAMIC, whole);
}
