let received: String = call_tool("echo", args! {"value" => "ä".repeat(3_000_000)})?;
println!("{}", received.chars().count());
