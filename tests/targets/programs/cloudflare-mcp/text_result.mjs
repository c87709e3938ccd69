const greeting = await codemode.greet({ name: "Ada" });
greeting
// SEES: "hello Ada"
