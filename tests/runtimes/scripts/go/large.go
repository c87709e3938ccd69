text := strings.Repeat("ä", 3_000_000)
back := MustCallTool[string]("echo", Args{"value": text})
fmt.Println(utf8.RuneCountInString(back))
