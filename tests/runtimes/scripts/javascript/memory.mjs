console.log("on");
const hoard = [];
for (;;) hoard.push(new Uint8Array(16 << 20).fill(1));
