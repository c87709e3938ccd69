try {
  await call_tool("nope", {});
} catch (error) {
  console.log(error.type, error.message);
}
