//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package docs

import (
	"io/fs"
	"os"
	"time"
)

// readDirWithStat lists an open directory. On Windows the listing includes the metadata of each
// file.
func readDirWithStat(dir *os.File) ([]fs.DirEntry, error) { return dir.ReadDir(-1) }

func isSameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// directoryID returns "": on these systems a directory cannot be identified after its drive is
// gone.
func directoryID(fs.FileInfo) string { return "" }

// changeTime returns the zero time: these systems would have to open each file to get it.
func changeTime(fs.FileInfo) time.Time { return time.Time{} }
