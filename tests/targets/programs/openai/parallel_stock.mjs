const items = ["pear", "fig"];
const rows = await Promise.all(items.map((item) => tools.stock({ item })));
const total = rows.reduce((sum, { count }) => sum + count, 0);
text(`${rows.length} items, ${total} pieces`);
// SEES: {"result": "2 items, 14 pieces", "status": "completed"}
