try {
  await call_tool("mul", { a: 1, b: 1 });
} catch (error) {
  if (error instanceof ToolError) console.log(error.type);
}
