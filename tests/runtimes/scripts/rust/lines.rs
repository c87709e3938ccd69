let first: i64 = call_tool("add", args! {"a" => 1})?; // HERE
let second: i64 = call_tool("add", args! {"a" => 1})?; // HERE
let third: i64 = call_tool("add", args! {"a" => 1})?; // HERE
println!("{} {} {}", first, second, third);
