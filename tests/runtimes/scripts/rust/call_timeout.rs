use std::time::Duration;

let slept = call_tool_timeout::<Value>("sleep", args! {"seconds" => 3}, Duration::from_millis(200));
println!("{}", slept.unwrap_err().kind);
let sum: i64 = call_tool("add", args! {"a" => 1})?;
println!("{}", sum);
