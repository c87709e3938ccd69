enum Start {
  One = 1,
}

const first: number = await tools.add({ a: Start.One }); // HERE

const second: number = await tools.add(1); // HERE
const third: number = await call_tool("add", { a: 1 }); // HERE
console.log(first, second, third);
