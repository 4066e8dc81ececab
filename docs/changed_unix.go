//go:build linux || openbsd || dragonfly

package docs

import (
	"syscall"
	"time"
)

func changeTimeOf(s *syscall.Stat_t) time.Time { return time.Unix(s.Ctim.Unix()) }
