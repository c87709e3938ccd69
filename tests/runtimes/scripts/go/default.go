fmt.Println(MustCallTool[int]("add", Args{"a": 1}))
