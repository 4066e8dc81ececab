//go:build unix

package external

import (
	"os"
	"syscall"
)

// hasKillSignal tells whether a process was ended by a signal that others send: it has not failed by
// itself.
func hasKillSignal(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM)
}
