//go:build !unix

package cli

import "os"

// notifyHangup does nothing, as this system has no SIGHUP; files are reloaded when they change.
func notifyHangup(chan os.Signal) (stop func()) { return func() {} }
