fmt.Println(MustCallTool[int64]("echo", Args{"value": int64(math.MaxInt64)}))
