let half: i64 = call_tool("add", args! {"a" => 19})?;
half * 2
