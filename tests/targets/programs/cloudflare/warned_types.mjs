async () => {
  const sum: number = await codemode.add({ a: 1, b: 2 });
  return sum;
}
// WARNS: 2 Types are a syntax error there
