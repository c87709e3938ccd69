use std::io::{stdin, Read};

let mut read = Vec::new();
stdin().read_to_end(&mut read)?;
println!("{}", read.len());
