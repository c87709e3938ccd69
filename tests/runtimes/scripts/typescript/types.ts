import { isDeepStrictEqual } from "node:util";

const value = {
  text: "é",
  yes: true,
  no: false,
  none: null,
  int: 7,
  float: 1.5,
  list: [1, [2]],
  map: { a: { b: 1 } },
};
console.log(isDeepStrictEqual(await tools.echo({ value }), value) ? "same" : "different");
