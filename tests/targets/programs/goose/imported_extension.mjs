import { shell } from "shop";

const output = shell({ command: "ls" });
output.split(" ").length
// SEES: "2"
