//go:build !unix

package docs

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
