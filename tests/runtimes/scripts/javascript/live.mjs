console.log("first");
await tools.gate();
console.log("second");
