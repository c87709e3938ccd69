for (let number: number = 0; number < 9; number++) {
  const sum: number = await tools.add({ a: number });
  if (sum > 3) return (await tools.mul({ a: sum, b: 10 })) + 2;
}
console.log("never");
