await new Promise((resolve) => setTimeout(resolve, 10));
return add({ a: 1, b: 2 });
// WARNS: 1 There is no `setTimeout` there
