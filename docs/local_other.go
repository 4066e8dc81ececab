//go:build !linux && !darwin && !freebsd && !windows

package docs

import "os"

// isLocal does not know.
func isLocal(*os.File) bool { return false }
