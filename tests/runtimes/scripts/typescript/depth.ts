try {
  await tools.again();
} catch (error) {
  if (error instanceof ToolError) console.log(error.type, error.message);
}
