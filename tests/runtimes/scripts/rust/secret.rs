use std::io::{stdout, Write};

print!("key sk-proj-abcdefghij01234");
stdout().flush()?;
println!("56789ABCDEFGHIJabcdefgh end");
