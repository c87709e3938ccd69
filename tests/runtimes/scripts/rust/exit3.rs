print!("x\n");
let _: i64 = call_tool("add", args! {"a" => 1})?;
std::process::exit(3); // HERE
