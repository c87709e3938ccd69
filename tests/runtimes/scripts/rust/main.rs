//! A whole program of its own.
use ptc::{args, call_tool};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let sum: i64 = call_tool("add", args! {"a" => 1, "b" => 2})?;
    println!("{}", sum);
    Ok(())
}
