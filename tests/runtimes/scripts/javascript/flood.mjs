const line = "x".repeat(100);
for (let i = 0; i < 200_000; i++) console.log(line);
