console.log("before");
await tools.add({ a: 1 });

async function lookUp() {
  return await tools.fail({ kind: "key" }); // HERE
}

await lookUp();
console.log("never");
