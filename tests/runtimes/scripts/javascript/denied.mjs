try {
  await call_tool("mul", { a: 1, b: 1 });
} catch (error) {
  console.log(error.type);
}
