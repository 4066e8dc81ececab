//go:build !unix

package system

import "io/fs"

// writableByOthers returns "": the folder is in the user's profile, and owners are not checked on
// this system.
func writableByOthers(fs.FileInfo) string { return "" }
