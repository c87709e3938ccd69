import { readFile } from "node:fs/promises";
await codemode.greet({ name: "Ada" });
// WARNS: 1 there are no modules there
