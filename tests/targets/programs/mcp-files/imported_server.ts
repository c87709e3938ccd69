import * as shop from "./servers/shop";

const row = await shop.stock({ item: "pear" });
console.log(`${row.item}: ${row.count}`);
// SEES: "pear: 7\n"
