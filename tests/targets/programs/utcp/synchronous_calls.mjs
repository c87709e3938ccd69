const row = stock({ item: "pear" });
console.log("count", row.count);
return { cost: row.count * price({ item: row.item }), tags: row.tags };
// SEES: {"result": {"cost": 17.5, "tags": ["red", "ripe"]}, "logs": ["count 7"]}
