//go:build !unix

package oauth

import "os"

// copyOwner gives a new file the owner of the file that it will replace, so that the server can
// still read the file after a command of the administrator has replaced it.
func copyOwner(*os.File, string) error { return nil }

// giveToOwnerOf gives a file the owner of another existing file, if possible. The administrator may have
// created the file, and the server has to lock it.
func giveToOwnerOf(_, _ string) {}

// isTrusted returns true: on Windows, creating a link requires a privilege.
func isTrusted(os.FileInfo) bool { return true }
