console.log("on");
await tools.sleep({ seconds: 30 }); // HERE
