try {
  await call_tool("sleep", { seconds: 3 }, { timeout: 0.2 });
} catch (error) {
  console.log(error.type);
}
console.log(await tools.add({ a: 1 }));
