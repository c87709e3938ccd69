console.log("on");
const hoard: Uint8Array[] = [];
for (;;) hoard.push(new Uint8Array(16 << 20).fill(1));
