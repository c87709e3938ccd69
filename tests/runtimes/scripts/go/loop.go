fmt.Println("on")
MustCallTool[int]("add", Args{"a": 1})
for n := 0; ; n++ { // HERE
}
