//go:build go1.23

package ptc

import (
	"os"
	"runtime/debug"
)

// reportCrashes gives the host what the runtime says of its own end, such as a stack overflow; nobody can recover that.
func reportCrashes(to *os.File) { _ = debug.SetCrashOutput(to, debug.CrashOptions{}) }
