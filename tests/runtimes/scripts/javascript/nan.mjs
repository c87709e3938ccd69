const [nan, infinity, negative] = await tools.echo({ value: [NaN, Infinity, -Infinity] });
console.log(Number.isNaN(nan), infinity === Infinity, negative === -Infinity);
