const sent = new Uint8Array([0, 255, 16]);
console.log(await tools.hexed({ data: sent }));
const got = await tools.echo({ value: { in: [sent] } });
console.log(got.in[0] instanceof Uint8Array && String(got.in[0]) === String(sent) ? "same" : "different");
