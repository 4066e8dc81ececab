//go:build !linux

package signin

// isOwnConnection is true: Windows and macOS show what a program was started with to its
// user alone, or it is not started with what is secret; see package desktop.
func isOwnConnection(string) bool { return true }

// IsKnownOwner is false: these systems do not show whose a connection is.
func IsKnownOwner(string) bool { return false }
