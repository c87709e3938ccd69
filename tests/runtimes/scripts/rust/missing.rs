let error = call_tool::<i64>("mul", args! {"a" => 1}).unwrap_err();
println!("{} {}", error.kind, error.message.chars().take(33).collect::<String>());
