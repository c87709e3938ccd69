interface Shelf {
  stock: number;
}

console.log("before");

function check({ stock }: Shelf): void {
  if (stock < 1) throw new RangeError("broken"); // HERE
}

check({ stock: 0 });
