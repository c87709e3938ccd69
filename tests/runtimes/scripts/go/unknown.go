_, err := CallTool[any]("nope")
var failure *ToolError
if errors.As(err, &failure) {
	fmt.Println(failure.Type, failure.Message)
}
