//go:build !linux

package lease

import "os"

// findHolder returns 0, because this system does not tell which process has locked a file.
func findHolder(os.FileInfo) (pid int) { return 0 }

// findStop reports that it is unknown whether a process is stopped.
func findStop(int) (switches string, isStopped bool) { return "", false }
