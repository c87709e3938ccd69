import { greet } from "./servers/shop/greet.ts";
import { add, price } from "./servers/shop/index.ts";

const total: number = (await add({ a: 1, b: 2 })) * (await price({ item: "fig" }));
console.log(await greet({ name: "Ada" }), total);
// SEES: "hello Ada 7.5\n"
