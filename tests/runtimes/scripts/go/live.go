fmt.Println("first")
MustCallTool[any]("gate")
fmt.Println("second")
