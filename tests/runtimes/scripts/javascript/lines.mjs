const first = await tools.add({ a: 1 }); // HERE

const second = await tools.add(1); // HERE
const third = await call_tool("add", { a: 1 }); // HERE
console.log(first, second, third);
