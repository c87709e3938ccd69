_, err := CallTool[any]("fail", Args{"kind": "http"})
var failure *ToolError
if errors.As(err, &failure) {
	body, headers := failure.Attributes["body"].(map[string]any), failure.Attributes["headers"].(map[string]any)
	fmt.Println(failure.Attributes["status"], body["why"], headers["x-id"])
}
