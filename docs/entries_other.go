//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package docs

import (
	"io/fs"
	"os"
	"time"
)

// readDirWithStat lists an open directory. On Windows the listing includes the state of
// each file.
func readDirWithStat(dir *os.File) ([]fs.DirEntry, error) { return dir.ReadDir(-1) }

func isSameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// directoryID is not known here, where the path of a drive is gone with it.
func directoryID(fs.FileInfo) string { return "" }

// changeTime is not to be had: each file would have to be opened for it.
func changeTime(fs.FileInfo) time.Time { return time.Time{} }
