console.log(await tools.outer());
