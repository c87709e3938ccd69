const sum: number = await tools.add({ a: 1, b: 2 });
console.warn("sum", sum);
return sum;
// WARNS: 2 There is no console.warn there
