_, err := CallTool[any]("again")
var failure *ToolError
if errors.As(err, &failure) {
	fmt.Println(failure.Type, failure.Message)
}
