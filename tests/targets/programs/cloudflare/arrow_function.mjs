async () => {
  const { item, count } = await codemode.stock({ item: "pear" });
  console.log("looked up", item);
  return { item, cost: count * (await codemode.price({ item })) };
}
// SEES: {"result": {"item": "pear", "cost": 17.5}, "logs": ["looked up pear"]}
