const six = await tools.calc.mul({ a: 2, b: 3 });
const eight = await tools.deep.calc.mul({ a: 2, b: 4 });
console.log(six, eight);
