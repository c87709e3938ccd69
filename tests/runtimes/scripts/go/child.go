import "os/exec"

if err := exec.Command("sleep", "1000").Start(); err != nil {
	panic(err)
}
fmt.Println("started")
