console.log("x");
await tools.add({ a: 1 });
process.exit(3); // HERE
