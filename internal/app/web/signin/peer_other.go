//go:build !linux

package signin

// isOwnConnection returns true: Windows and macOS show the arguments of a program only to its user,
// or login codes are not passed as arguments; see openURLOnMac in package system.
func isOwnConnection(string) bool { return true }

// IsKnownOwnConnection returns false: these systems do not show the owner of a connection.
func IsKnownOwnConnection(string) bool { return false }
