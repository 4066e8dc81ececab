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

// hasOpen reports whether the process with the given ID has a file open. It examines only open files of the
// same name, because examining one on a drive that does not answer would block.
func hasOpen(pid int, file os.FileInfo) bool {
	process := filepath.Join("/proc", strconv.Itoa(pid))
	all, _ := filepath.Glob(filepath.Join(process, "fd", "*")) // none of a process of another user
	if len(all) == 0 {                                         // its first thread has ended
		all, _ = filepath.Glob(filepath.Join(process, "task", "*", "fd", "*"))
	}
	for _, link := range all {
		target, err := os.Readlink(link)
		if err != nil || filepath.Base(target) != file.Name() {
			continue
		}
		if info, err := os.Stat(link); err == nil && os.SameFile(info, file) {
			return true
		}
	}
	return false
}

// findStop reports whether a process is stopped by a signal, or was killed but still exists, with its locks,
// because a call to a file system that does not answer is in progress. It also returns the counts of its
// context switches, which stay the same as long as it is stopped.
func findStop(pid int) (switches string, isStopped bool) {
	if pid == 0 {
		return "", false
	}
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil || !bytes.Contains(status, []byte("\nState:\tT ")) && !isKilled(status) {
		return "", false
	}
	_, counts, _ := bytes.Cut(status, []byte("\nvoluntary_ctxt_switches:"))
	return string(counts), true
}

// isKilled reports whether a process, of which this is the status, will not run any more: its first
// thread has ended, or is to be killed.
func isKilled(status []byte) bool {
	if bytes.Contains(status, []byte("\nState:\tZ ")) {
		return true
	}
	_, pending, _ := bytes.Cut(status, []byte("\nSigPnd:\t"))
	pending, _, _ = bytes.Cut(pending, []byte("\n"))
	signals, err := strconv.ParseUint(string(pending), 16, 64)
	return err == nil && signals&(1<<(syscall.SIGKILL-1)) != 0
}
