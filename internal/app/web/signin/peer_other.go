//go:build !linux

package signin

// isOwnConnection is true: Windows and macOS show what a program was started with to its
// user alone, or it is not started with what is secret; see package desktop.
func isOwnConnection(string) bool { return true }

// IsKnownOwner returns false: these systems do not show the owner of a connection.
func IsKnownOwner(string) bool { return false }
