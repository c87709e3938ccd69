println!("out");
eprintln!("err");
