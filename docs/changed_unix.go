//go:build linux || openbsd || dragonfly

package docs

import (
	"syscall"
	"time"
)

func changedOf(s *syscall.Stat_t) time.Time { return time.Unix(s.Ctim.Unix()) }
