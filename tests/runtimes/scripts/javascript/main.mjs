async function main() {
  console.log(await tools.add({ a: 1 }));
}

main();
