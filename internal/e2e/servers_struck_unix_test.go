//go:build unix

package e2e

import "syscall"

// endingSignals are the signals by which a system ends programs.
var endingSignals = []ending{
	{"terminated", func(s *client) error { return s.cmd.Process.Signal(syscall.SIGTERM) }},
	{"hung up", func(s *client) error { return s.cmd.Process.Signal(syscall.SIGHUP) }},
}

// stop stops a server, and goOn lets it go on.
var (
	stop = func(s *client) error { return s.cmd.Process.Signal(syscall.SIGSTOP) }
	goOn = func(s *client) error { return s.cmd.Process.Signal(syscall.SIGCONT) }
)
