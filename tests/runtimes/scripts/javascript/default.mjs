console.log(await tools.add({ a: 1 }));
