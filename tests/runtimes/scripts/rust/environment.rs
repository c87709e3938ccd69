let names: Vec<String> = std::env::vars().map(|(name, _)| name).filter(|name| name.starts_with("PTC_")).collect();
println!("{}", names.join(" "));
