six := MustCallTool[int]("calc.mul", Args{"a": 2, "b": 3})
eight := MustCallTool[int]("deep.calc.mul", Args{"a": 2, "b": 4})
fmt.Println(six, eight)
