for _ in 0..200_000 {
    println!("{}", "x".repeat(100));
}
