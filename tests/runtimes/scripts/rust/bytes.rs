let sent = Bytes(vec![0, 255, 16]);
println!("{}", call_tool::<String>("hexed", args! {"data" => sent.clone()})?);
let got: Vec<Bytes> = call_tool("echo", args! {"value" => vec![sent.clone(), Bytes(vec![251])]})?;
println!("{}", if got == [sent, Bytes(vec![251])] { "same" } else { "different" });
