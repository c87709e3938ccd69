let mut sum: i64 = 0;
for _ in 0..5000 {
    sum = call_tool("add", args! {"a" => sum, "b" => 1})?;
}
println!("{}", sum);
