import { z } from "zod";
return z.number().parse(await external_add({ a: 1, b: 2 }));
// WARNS: 1 cannot be imported
