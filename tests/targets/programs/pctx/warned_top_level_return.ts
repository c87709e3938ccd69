async function run() {
  return await Shop.greet({ name: "Ada" });
}
return await run();
// WARNS: 4 A `return` at the top level
