type Nested = number | Nested[];

let value: Nested = 1;
for (let i = 0; i < 200; i++) value = [value];

let levels = 0;
for (let inner: Nested = await tools.echo({ value }); Array.isArray(inner); inner = inner[0]) levels++;
console.log(levels);
