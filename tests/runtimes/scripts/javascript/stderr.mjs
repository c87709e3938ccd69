console.log("out");
console.error("err");
