//go:build !unix

package system

import "io/fs"

// writableByOthers knows of no owners here: the folder lies in the profile of the user.
func writableByOthers(fs.FileInfo) string { return "" }
