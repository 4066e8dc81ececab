//go:build unix

package external

import (
	"os"
	"syscall"
)

// hasKillSignal reports whether a process was ended by a signal from outside rather than by its own
// failure.
func hasKillSignal(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM)
}
