async () => {
  return await codemode.add({ a: 1, b: 2 });
};
// WARNS: 3 The semicolon behind the arrow function
