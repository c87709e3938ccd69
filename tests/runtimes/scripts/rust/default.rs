let sum: i64 = call_tool("add", json!({"a": 1}))?;
println!("{}", sum);
