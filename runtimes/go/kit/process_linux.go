package ptc

import "syscall"

const (
	setParentDeathSignal = 1
	setChildSubreaper    = 36
)

// prepareProcess keeps the channel from the script's children, has the process die with its parent, and adopt the
// orphans of its children, so that the host finds them all.
func prepareProcess(descriptors ...int) {
	for _, descriptor := range descriptors {
		syscall.CloseOnExec(descriptor)
	}
	syscall.RawSyscall(syscall.SYS_PRCTL, setParentDeathSignal, uintptr(syscall.SIGKILL), 0)
	syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}
