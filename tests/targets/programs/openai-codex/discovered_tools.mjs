// @exec: {"yield_time_ms": 5000, "max_output_tokens": 2000}
const wanted = ALL_TOOLS.filter(({ name }) => name === "greet");
for (const { name, description } of wanted) text(`${name}: ${description}`);
text(await tools.greet({ name: "Ada" }));
// SEES: "Script completed\nWall time N.N seconds\nOutput:\ngreet: A greeting.\nhello Ada"
