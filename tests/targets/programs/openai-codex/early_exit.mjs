const { count, tags } = await tools.stock({ item: "fig" });
store("fig", { count });
text(load("fig"));
if (tags.includes("ripe")) exit();
text("never");
// SEES: "Script completed\nWall time N.N seconds\nOutput:\n{\"count\":7}"
