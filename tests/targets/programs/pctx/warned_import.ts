import { z } from "zod";

async function run() {
  return z.string().parse(await Shop.greet({ name: "Ada" }));
}
// WARNS: 1 cannot be imported
