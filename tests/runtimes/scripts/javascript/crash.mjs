console.log("before");
process.kill(process.pid, "SIGKILL"); // HERE
for (;;);
