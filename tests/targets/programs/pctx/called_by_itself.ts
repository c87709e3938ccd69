async function run() {
  const sums = await Promise.all([1, 2, 3].map((a) => Shop.add({ a, b: 1 })));
  return sums;
}

export default await run();
// SEES: "Code Executed Successfully: true\n\n# Return Value\n```json\n[\n  2,\n  3,\n  4\n]\n```\n\n# STDOUT\n\n\n# STDERR\n\n"
