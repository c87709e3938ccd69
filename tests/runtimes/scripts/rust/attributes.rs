match call_tool::<Value>("fail", args! {"kind" => "http"}) {
    Ok(value) => println!("unexpected: {}", value),
    Err(error) => {
        let carried = &error.attributes;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        println!("{} {} {}", carried["status"], text(&carried["body"]["why"]), text(&carried["headers"]["x-id"]));
    }
}
