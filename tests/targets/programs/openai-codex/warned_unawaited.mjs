text(await tools.greet({ name: "Ada" }));
tools.slow({ seconds: 0.01 });
text("done");
// WARNS: 2 it is dropped when the program ends
