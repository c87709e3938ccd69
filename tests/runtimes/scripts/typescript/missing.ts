try {
  await tools.mul({ a: 1 });
} catch (error) {
  if (error instanceof ToolError) console.log(error.type, error.message.slice(0, 33));
}
