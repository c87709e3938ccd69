fmt.Println("before")
MustCallTool[int]("add", Args{"a": 1})
MustCallTool[any]("fail", Args{"kind": "key"}) // HERE
fmt.Println("never")
