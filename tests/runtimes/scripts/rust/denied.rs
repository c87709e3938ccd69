let error = call_tool::<i64>("mul", args! {"a" => 1, "b" => 1}).unwrap_err();
println!("{}", error.kind);
