//go:build !linux

package lease

import "os"

// findHolder returns 0: the process that has locked a file is not known.
func findHolder(os.FileInfo) (pid int) { return 0 }

// findStop reports that nothing is known of a process.
func findStop(int) (switches string, isStopped bool) { return "", false }
