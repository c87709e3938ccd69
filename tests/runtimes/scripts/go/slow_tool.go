fmt.Println("on")
MustCallTool[float64]("sleep", Args{"seconds": 30}) // HERE
