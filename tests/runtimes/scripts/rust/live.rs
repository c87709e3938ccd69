println!("first");
call_tool::<()>("gate", ())?;
println!("second");
