//go:build darwin || freebsd || netbsd

package docs

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime is when the system last changed anything of a file, which no
// program can set.
func changeTime(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctimespec.Unix())
	}
	return time.Time{}
}
