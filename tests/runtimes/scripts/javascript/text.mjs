const value = 'a\0b\n\t"\\ 😀 日本 \u2028';
console.log((await tools.echo({ value })) === value ? "same" : "different");
