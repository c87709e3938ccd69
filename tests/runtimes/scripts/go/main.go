package main

import "fmt"

func main() {
	sum, err := CallTool[int]("add", Args{"a": 1, "b": 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(sum)
}
