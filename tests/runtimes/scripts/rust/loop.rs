println!("on");
let mut sum: i64 = call_tool("add", args! {"a" => 1})?;
loop { sum = sum.wrapping_mul(3); } // HERE
