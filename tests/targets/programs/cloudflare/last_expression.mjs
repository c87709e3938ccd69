const names = ["Ada", "Bo"];
const greetings = await Promise.all(names.map((name) => codemode.greet({ name })));
greetings.join(" and ");
// SEES: {"result": "hello Ada and hello Bo"}
