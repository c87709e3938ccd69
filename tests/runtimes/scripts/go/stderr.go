fmt.Println("out")
fmt.Fprintln(os.Stderr, "err")
