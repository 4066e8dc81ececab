//go:build !linux && !windows

package local

// lowerThreadPriority does nothing: other systems have no thread priority that a program without C
// can set, or only one that restricts threads to slow processors.
func lowerThreadPriority() {}
