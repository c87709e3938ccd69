println!("before");
let numbers: Vec<i64> = vec![];
if numbers.is_empty() {
    panic!("broken"); // HERE
}
