//go:build unix

package ptc

import (
	"os"
	"os/signal"
	"syscall"
)

// reportOnRequest has a signal answered with where the script is: such as in an endless loop.
func reportOnRequest(descriptor int) {
	syscall.CloseOnExec(descriptor)
	to := os.NewFile(uintptr(descriptor), "report")
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR2)
	go func() {
		for range asked {
			report(to)
		}
	}()
	reportCrashes(to)
	// The host reads it after the end: a long report is cut rather than waited for.
	_ = syscall.SetNonblock(descriptor, true)
}
