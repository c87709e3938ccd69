let error = call_tool::<Value>("nope", args! {}).unwrap_err();
println!("{} {}", error.kind, error);
