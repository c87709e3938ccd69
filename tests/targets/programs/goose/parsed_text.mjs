import { stock, greet } from "shop";

const row = JSON.parse(stock({ item: "pear" }));
`${greet({ name: row.item })} of ${row.count}`
// SEES: "hello pear of 7"
