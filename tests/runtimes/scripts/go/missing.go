_, err := CallTool[int]("mul", Args{"a": 1})
var failure *ToolError
if errors.As(err, &failure) {
	fmt.Println(failure.Type, failure.Message[:33])
}
