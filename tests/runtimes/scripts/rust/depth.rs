let error = call_tool::<Value>("again", ()).unwrap_err();
println!("{} {}", error.kind, error);
