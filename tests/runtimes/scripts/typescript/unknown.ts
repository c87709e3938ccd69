try {
  await call_tool("nope", {});
} catch (error) {
  if (error instanceof ToolError) console.log(error.type, error.message);
}
