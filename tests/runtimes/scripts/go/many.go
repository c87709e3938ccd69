s := 0
for i := 0; i < 5000; i++ {
	s = MustCallTool[int]("add", Args{"a": s, "b": 1})
}
fmt.Println(s)
