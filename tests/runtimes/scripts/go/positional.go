fmt.Println(MustCallTool[int]("add", 1, 2))
