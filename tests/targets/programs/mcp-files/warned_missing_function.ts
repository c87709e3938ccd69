import * as shop from "./servers/shop";

console.log(await shop.discount({ item: "pear" }));
// WARNS: 3 has no `discount`
