println!("héllo ✓ 日本");
