package docs

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// TestOpenDenied: a folder that the user may not read is an error that says what to do.
func TestOpenDenied(t *testing.T) {
	err := openError("/notes", &fs.PathError{Op: "open", Path: "/notes", Err: syscall.EACCES})
	if missing := new(FolderMissingError); !errors.As(err, missing) || !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), "the folder /notes cannot be read (permission denied): ") {
		t.Error(err)
	}
	if err := openError("/notes", &fs.PathError{Op: "open", Path: "/notes", Err: syscall.EIO}); errors.As(err, new(FolderMissingError)) {
		t.Error(err)
	}
}
