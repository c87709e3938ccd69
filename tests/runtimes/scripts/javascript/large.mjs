const received = await tools.echo({ value: "ä".repeat(3_000_000) });
console.log(received.length);
