first := MustCallTool[int]("add", Args{"a": 1})           // HERE
second, _ := CallTool[int]("add", Args{"a": 1, "b": 2})   // HERE
third := Must(CallTool[int]("add", map[string]int{"a": 1, "b": 2})) // HERE
fmt.Println(first, second, third)
