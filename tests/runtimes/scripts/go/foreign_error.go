_, err := CallTool[any]("fail", Args{"kind": "chain"})
var failure *ToolError
if errors.As(err, &failure) {
	fmt.Println(failure.Type, failure.Message)
}
