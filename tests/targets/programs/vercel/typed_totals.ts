interface Row {
  item: string;
  count: number;
}
const rows: Row[] = await Promise.all(["pear", "fig"].map((item) => tools.stock({ item })));
return Object.fromEntries(rows.map(({ item, count }) => [item, count]));
// SEES: {"pear": 7, "fig": 7}
