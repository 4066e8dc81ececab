//go:build !unix

package cachedir

import "io/fs"

// writableByOthers knows of no owners here: the folder lies in the profile of the user.
func writableByOthers(fs.FileInfo) string { return "" }
