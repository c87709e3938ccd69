let received: Value = call_tool("echo", args! {"value" => json!({"password": "hunter2canary"})})?;
println!("{}", received["password"].as_str().unwrap_or_default().len());
