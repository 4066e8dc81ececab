//go:build !unix

package oauth

import "os"

func copyOwner(*os.File, string) error { return nil }
