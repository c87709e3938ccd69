let note = "fine";
try {
  await tools.fail({ reason: "closed" });
} catch (error) {
  note = error.message;
}
text({ note, price: await tools.price({ item: "pear", qty: 2 }) });
// SEES: {"result": "{\"note\":\"closed\",\"price\":5}", "status": "completed"}
