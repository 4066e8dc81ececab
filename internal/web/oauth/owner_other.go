//go:build !unix

package oauth

import "os"

func copyOwner(*os.File, string) error { return nil }

func leaveToOwner(_, _ string) {}

// isTrusted trusts all links: to make one takes rights of its own.
func isTrusted(os.FileInfo) bool { return true }
