try {
  await call_tool("sleep", { seconds: 3 }, { timeout: 0.2 });
} catch (error) {
  if (error instanceof ToolError) console.log(error.type);
}
try {
  await call_tool("sleep", { seconds: 3 }, { timeout_secs: 0.2 });
  console.log("timeout_secs is not understood");
} catch (error) {
  if (error instanceof ToolError && error.type === "TimeoutError") console.log(await tools.add({ a: 1 }));
}
