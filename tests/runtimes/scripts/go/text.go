text := "a\x00b\n\t\"\\ 😀 日本 \u2028"
if MustCallTool[string]("echo", Args{"value": text}) == text {
	fmt.Println("same")
}
