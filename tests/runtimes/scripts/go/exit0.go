fmt.Println("x")
os.Exit(0)
fmt.Println("never")
