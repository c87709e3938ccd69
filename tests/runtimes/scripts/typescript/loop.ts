console.log("on");
await tools.add({ a: 1 });
for (;;); // HERE
