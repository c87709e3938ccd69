console.log(String(await tools.echo({ value: 9223372036854775807n })));
