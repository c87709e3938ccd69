const rows = await Promise.all(["pear", "fig"].map((item) => tools.stock({ item })));
const counts = rows.map((row) => JSON.parse(row).count);
console.log(counts);
counts[0] + counts[1]
// SEES: "<stdout>\n[7, 7]\n</stdout>\n<result>14</result>"
