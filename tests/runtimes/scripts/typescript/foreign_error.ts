try {
  await tools.fail({ kind: "chain" });
} catch (error) {
  if (error instanceof ToolError) console.log(error.type, error.message);
}
