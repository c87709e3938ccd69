println!("before");
std::process::abort();
