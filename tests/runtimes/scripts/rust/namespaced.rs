let six: i64 = call_tool("calc.mul", args! {"a" => 2, "b" => 3})?;
let eight: i64 = call_tool("deep.calc.mul", args! {"a" => 2, "b" => 4})?;
println!("{} {}", six, eight);
