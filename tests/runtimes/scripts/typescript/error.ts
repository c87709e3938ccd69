try {
  await tools.fail({ kind: "key" });
} catch (error) {
  if (error instanceof ToolError) console.log(error.type, error.message);
}
