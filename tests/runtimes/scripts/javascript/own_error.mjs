console.log("before");

function check(stock) {
  if (stock < 1) throw new RangeError("broken"); // HERE
}

check(0);
