println!("before");
let number: i64 = "text"; // HERE
println!("{}", number);
