//go:build !unix

package oauth

import "os"

func copyOwner(*os.File, string) error { return nil }

func giveToOwnerOf(_, _ string) {}

// isTrusted trusts all links: on Windows creating one requires a privilege.
func isTrusted(os.FileInfo) bool { return true }
