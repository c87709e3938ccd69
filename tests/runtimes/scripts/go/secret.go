fmt.Print("key sk-proj-abcdefghij01234")
os.Stdout.Sync()
fmt.Println("56789ABCDEFGHIJabcdefgh end")
