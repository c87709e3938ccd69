var nested any = 1
for i := 0; i < 200; i++ {
	nested = []any{nested}
}

levels := 0
back := MustCallTool[any]("echo", Args{"value": nested})
for list, ok := back.([]any); ok; list, ok = list[0].([]any) {
	levels++
}
fmt.Println(levels)
