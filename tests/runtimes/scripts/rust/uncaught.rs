println!("before");
let sum: i64 = call_tool("add", args! {"a" => 1})?;
call_tool::<Value>("fail", args! {"kind" => "key"})?; // HERE
println!("never: {}", sum);
