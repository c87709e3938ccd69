fmt.Println("héllo ✓ 日本")
