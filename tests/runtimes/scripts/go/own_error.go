fmt.Println("before")
panic("broken") // HERE
