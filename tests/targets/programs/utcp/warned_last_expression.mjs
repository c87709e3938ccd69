const sum = add({ a: 1, b: 2 });
sum * 2
// WARNS: 2 A last expression is not the result there
