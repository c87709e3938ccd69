let sum: i64 = call_tool("outer", ())?;
println!("{}", sum);
