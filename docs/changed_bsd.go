//go:build darwin || freebsd || netbsd

package docs

import (
	"syscall"
	"time"
)

func changeTimeOf(s *syscall.Stat_t) time.Time { return time.Unix(s.Ctimespec.Unix()) }
