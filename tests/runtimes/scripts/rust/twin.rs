let twin: i64 = call_tool("server.get_sum", ())?;
let original: i64 = call_tool("server.get-sum", args! {})?;
println!("{} {}", twin, original);
