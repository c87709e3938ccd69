try {
  await tools.fail({ reason: "closed" });
} catch (error) {
  return { error: (error as Error).message, greeting: await tools["greet"]({ name: "Ada" }) };
}
// SEES: {"error": "Host tool failed.", "greeting": "hello Ada"}
