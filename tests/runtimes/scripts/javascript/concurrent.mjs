const met = await Promise.all(Array.from({ length: 5 }, () => tools.meet()));
console.log(met.filter(Boolean).length);
