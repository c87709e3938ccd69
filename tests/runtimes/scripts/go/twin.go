twin := MustCallTool[int]("server.get_sum")
own := MustCallTool[int]("server.get-sum")
fmt.Println(twin, own)
