println!("x");
if true {
    std::process::exit(0);
}
println!("never");
