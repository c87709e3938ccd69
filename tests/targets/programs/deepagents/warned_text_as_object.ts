const row = await tools.stock({ item: "pear" });
row.count
// WARNS: 2 `row` is text there
