let sent = (0..200).fold(json!(1), |inner, _| json!([inner]));
let received: Value = call_tool("echo", args! {"value" => sent})?;
let (mut levels, mut inner) = (0, &received);
while inner.as_array().is_some() {
    levels += 1;
    inner = &inner[0];
}
println!("{}", levels);
