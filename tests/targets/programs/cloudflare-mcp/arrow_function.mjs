async () => {
  const { item, count } = await codemode.stock({ item: "pear" });
  console.log("not seen");
  return { item, count };
}
// SEES: "{\n  \"item\": \"pear\",\n  \"count\": 7\n}"
