tools.greet({ name: "Ada" });
return await tools.add({ a: 1, b: 2 });
// WARNS: 1 the program fails for that
