_, err := CallTool[float64]("sleep", Args{"seconds": 3}, Timeout(0.2))
var failure *ToolError
if errors.As(err, &failure) {
	fmt.Println(failure.Type)
}
fmt.Println(MustCallTool[int]("add", Args{"a": 1}))
