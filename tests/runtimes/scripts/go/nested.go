fmt.Println(MustCallTool[int]("outer"))
