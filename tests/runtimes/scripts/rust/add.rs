let sum: i64 = call_tool("add", args! {"a" => 1, "b" => 2})?;
println!("{}", sum);
