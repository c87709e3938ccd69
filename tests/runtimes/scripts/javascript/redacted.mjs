const { password } = await tools.echo({ value: { password: "hunter2canary" } });
console.log(password.length);
