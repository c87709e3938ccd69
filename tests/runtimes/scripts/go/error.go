_, err := CallTool[any]("fail", Args{"kind": "key"})
var failure *ToolError
if errors.As(err, &failure) {
	fmt.Println(failure.Type, failure.Message)
}
