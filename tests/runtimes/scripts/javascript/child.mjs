import { spawn } from "node:child_process";

spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();
console.log("started");
