import fs from "node:fs";

console.log("never");
const broken = ; // HERE
export default fs;
