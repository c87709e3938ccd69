let sent = json!({
    "text": "é", "yes": true, "no": false, "none": null, "int": 7, "float": 1.5,
    "list": [1, [2]],
    "map": {"a": {"b": 1}},
});
let received: Value = call_tool("echo", args! {"value" => &sent})?;
println!("{}", if received == sent { "same" } else { "different" });
