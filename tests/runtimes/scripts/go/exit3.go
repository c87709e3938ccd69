import (
	"fmt"
	"os"
)

fmt.Println("x")
MustCallTool[int]("add", Args{"a": 1})
os.Exit(3) // HERE
