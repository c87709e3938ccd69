numbers := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
back := MustCallTool[[]float64]("echo", Args{"value": numbers})
fmt.Println(math.IsNaN(back[0]), math.IsInf(back[1], 1), math.IsInf(back[2], -1))
