fmt.Println("never")
total := 1 +* 2 // HERE
fmt.Println(total)
