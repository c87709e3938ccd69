const sum = await add({ a: 1, b: 2 });
return sum;
// WARNS: 1 is called `external_add` there
