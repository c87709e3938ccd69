println!("on");
call_tool::<Value>("sleep", args! {"seconds" => 30})?; // HERE
