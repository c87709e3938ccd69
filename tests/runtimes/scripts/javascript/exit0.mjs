console.log("x");
process.exit(0);
console.log("never");
