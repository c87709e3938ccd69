let odd: Vec<f64> = call_tool("echo", args! {"value" => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY]})?;
println!("{} {} {}", odd[0].is_nan(), odd[1] == f64::INFINITY, odd[2] == f64::NEG_INFINITY);
