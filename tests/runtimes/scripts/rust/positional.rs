let sum: i64 = call_tool("add", args![1, 2])?;
println!("{}", sum);
