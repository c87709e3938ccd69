back := MustCallTool[map[string]string]("echo", Args{"value": Args{"password": "hunter2canary"}})
fmt.Println(len(back["password"]))
