text(await tools.price("pear", 2));
// WARNS: 1 called with 2 arguments
