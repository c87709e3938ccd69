console.log(await tools.add(1, 2));
