// Tells a script that only the channel can wake, where the engine does not tell: in Bun and Deno.

/** What can wake a script, or hide such a thing. */
const WAKER =
  /\b(?:import|require|eval|Function|globalThis|process|Deno|Bun|fetch|\w*(?:Timeout|Interval|Immediate|Worker|Channel|Socket|Stream|Signal|Observer|Registry)|subtle|Atomics)\b/;

/** Whether the script can do nothing but compute, print and call tools, so that waiting may block all of it. */
export function isQuiet(code) {
  return !WAKER.test(code);
}
