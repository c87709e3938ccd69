// Command build makes a program of a script and compiles it: statements at the top level go into a main of their own,
// and everything keeps the script's own line numbers.
//
//	build GO KIT SCRIPT FOLDER
//
// The folder gets program.go, view.go, go.mod and the program, named script. A script that is wrong stays wrong: to
// say where is the compiler's business.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: build GO KIT SCRIPT FOLDER")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		if _, refused := err.(*exec.ExitError); !refused {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
}

func build(compiler, kit, script, folder string) error {
	source, err := os.ReadFile(script)
	if err != nil {
		return err
	}
	text, view := program(string(source))
	for name, content := range map[string]string{"program.go": text, "view.go": view, "go.mod": module(kit)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	// Without symbols for a debugger linking is quicker; lines in tracebacks stay.
	command := exec.Command(compiler, "build", "-trimpath", "-ldflags=-s -w", "-o", "script", "program.go", "view.go")
	command.Dir = folder
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run()
}

// module says which language this is: that of the toolchain, so that scripts may use all it has.
func module(kit string) string {
	version := "1.19"
	if found := regexp.MustCompile(`go(\d+\.\d+)`).FindStringSubmatch(runtime.Version()); found != nil {
		version = found[1]
	}
	return "module script\n\ngo " + version + "\n\nrequire ptc v0.0.0\n\nreplace ptc => " + strconv.Quote(kit) + "\n"
}
