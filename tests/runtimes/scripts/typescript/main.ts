async function main(): Promise<void> {
  console.log(await tools.add({ a: 1 }));
}

main();
