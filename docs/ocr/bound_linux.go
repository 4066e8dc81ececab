package ocr

import "golang.org/x/sys/unix"

// maxSpent is how many seconds of a processor a process may take: one that hangs when this
// program, which would end it, was killed, ends by itself. A page takes some 2 s.
const maxSpent = 5 * 60

func bound(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
	_ = unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: maxSpent, Max: maxSpent}, nil)
}
