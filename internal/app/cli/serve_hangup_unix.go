//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyHangup sends SIGHUP to a channel until stop is called.
func notifyHangup(to chan os.Signal) (stop func()) {
	signal.Notify(to, syscall.SIGHUP)
	return func() { signal.Stop(to) }
}
