async function run() {
  const row = await Shop.stock({ item: "pear" });
  console.log("looked up", row.item);
  return { count: row.count };
}
// SEES: "Code Executed Successfully: true\n\n# Return Value\n```json\n{\n  \"count\": 7\n}\n```\n\n# STDOUT\nlooked up pear\n\n\n# STDERR\n\n"
