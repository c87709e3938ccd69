std::process::Command::new("sleep").arg("1000").spawn()?;
println!("started");
