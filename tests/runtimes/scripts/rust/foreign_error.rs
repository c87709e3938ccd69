match call_tool::<Value>("fail", args! {"kind" => "chain"}) {
    Ok(value) => println!("unexpected: {}", value),
    Err(error) => println!("{} {}", error.kind, error),
}
