//go:build !linux && !darwin && !freebsd && !windows

package docs

import "os"

// isLocal returns false: on these systems it cannot be determined.
func isLocal(*os.File) bool { return false }
