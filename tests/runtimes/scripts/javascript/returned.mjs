for (let number = 0; number < 9; number++) {
  if ((await tools.add(number)) > 3) return (await tools.mul(await tools.add(number), 10)) + 2;
}
console.log("never");
