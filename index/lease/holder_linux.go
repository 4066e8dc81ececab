package lease

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// findHolder returns the process that has locked a file, or 0 if it is unknown because it is on another
// machine or in another container. The kernel lists locks by inode numbers, which several file systems
// may have in common, so the process must have the file open.
func findHolder(file os.FileInfo) (pid int) {
	s, ok := file.Sys().(*syscall.Stat_t)
	locks, err := os.ReadFile("/proc/locks")
	if !ok || err != nil {
		return 0
	}
	inode := ":" + strconv.FormatUint(s.Ino, 10)
	for line := range strings.Lines(string(locks)) { // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF
		of := strings.Fields(line)
		if len(of) < 6 || of[1] != "FLOCK" || of[3] != "WRITE" || !strings.HasSuffix(of[5], inode) {
			continue
		}
		if pid, err := strconv.Atoi(of[4]); err == nil && hasOpen(pid, file) {
			return pid
		}
	}
	return 0
}

// hasOpen reports whether the process with the given ID has a file open.
func hasOpen(pid int, file os.FileInfo) bool {
	all, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "fd", "*")) // none of a process of another user
	for _, name := range all {
		if info, err := os.Stat(name); err == nil && os.SameFile(info, file) {
			return true
		}
	}
	return false
}

// findStop reports whether a process is stopped by a signal. It also returns the counts of its context
// switches, which stay the same as long as it is stopped.
func findStop(pid int) (switches string, isStopped bool) {
	if pid == 0 {
		return "", false
	}
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil || !bytes.Contains(status, []byte("\nState:\tT ")) {
		return "", false
	}
	_, counts, _ := bytes.Cut(status, []byte("\nvoluntary_ctxt_switches:"))
	return string(counts), true
}
