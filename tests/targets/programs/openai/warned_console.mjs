const { count } = await tools.stock({ item: "pear" });
console.log(count);
text(count);
// WARNS: 2 There is no `console` there
