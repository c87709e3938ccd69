import { stock } from "shop";

const row = stock({ item: "pear" });
row.count
// WARNS: 4 `row` is text there
