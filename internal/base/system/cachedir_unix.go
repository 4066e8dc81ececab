//go:build unix

package system

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// writableByOthers describes how another user may have written a file or folder; "" if none can
// have.
func writableByOthers(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Geteuid() {
		return fmt.Sprintf("belongs to another user (%d)", s.Uid)
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Sprintf("may be written by other users (mode %04o)", mode)
	}
	return ""
}
