const { count }: { count: number } = await external_stock({ item: "pear" });
console.info("count", count);
return { count, cost: count * (await external_price({ item: "pear" })) };
// SEES: {"success": true, "result": {"count": 7, "cost": 17.5}, "logs": ["INFO: count 7"]}
