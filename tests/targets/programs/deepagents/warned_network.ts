await tools.greet({ name: "Ada" });
await fetch("https://example.com")
// WARNS: 2 There is no `fetch` there
