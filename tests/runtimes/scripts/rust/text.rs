let sent = "a\0b\n\t\"\\ 😀 日本 \u{2028}";
let received: String = call_tool("echo", args! {"value" => sent})?;
println!("{}", if received == sent { "same" } else { "different" });
