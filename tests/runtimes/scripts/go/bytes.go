sent := []byte{0, 255, 16}
fmt.Println(MustCallTool[string]("hexed", Args{"data": sent}))
got := MustCallTool[map[string][][]byte]("echo", Args{"value": map[string][][]byte{"in": {sent}}})
if reflect.DeepEqual(got["in"][0], sent) {
	fmt.Println("same")
}
