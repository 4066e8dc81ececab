//go:build !linux && !windows

package local

// lowerThreadPriority does nothing: other systems have no priority of threads that a program without C
// can set, or only one that leaves them to the slow processors.
func lowerThreadPriority() {}
