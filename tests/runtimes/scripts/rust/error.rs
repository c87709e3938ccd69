if let Err(error) = call_tool::<Value>("fail", args! {"kind" => "key"}) {
    println!("{} {}", error.kind, error.message);
}
