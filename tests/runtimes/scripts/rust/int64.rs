let largest: i64 = call_tool("echo", args! {"value" => i64::MAX})?;
println!("{}", largest);
