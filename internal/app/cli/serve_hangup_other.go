//go:build !unix

package cli

import "os"

// notifyHangup does nothing: this system has no such signal, and files are read again
// when they change.
func notifyHangup(chan os.Signal) (stop func()) { return func() {} }
