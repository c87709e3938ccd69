import { readFile } from "node:fs/promises";
text(await readFile("notes.txt", "utf8"));
// WARNS: 1 cannot be imported
