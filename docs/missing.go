package docs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// A folder may be missing: its drive is not plugged in, its network is not mounted, or it was
// renamed. Its documents are kept until it is accessible again.

// FolderMissingError is the error for a folder that does not exist or is not accessible.
type FolderMissingError struct {
	Dir    string // as given to Open
	Reason error  // the error of the system
}

func (m FolderMissingError) Unwrap() error { return m.Reason }

func (m FolderMissingError) Error() string { return m.Message().String() }

// Message explains that the folder is missing, and what to do about it.
func (m FolderMissingError) Message() message.Message {
	name := present.QuoteName(m.Dir)
	switch {
	case errors.Is(m.Reason, fs.ErrNotExist), errors.Is(m.Reason, syscall.ENOTDIR):
		return message.New("the folder %s is not there: connect its drive or network or, if it was moved, set its new path in the configuration of this server; then ask again", name)
	case errors.Is(m.Reason, errUnmounted):
		return message.New("the folder %s is %v: its drive seems not to be mounted: mount it or, if the folder should be empty, put any file into it; then ask again", name, m.Reason)
	case errors.Is(m.Reason, fs.ErrPermission) && runtime.GOOS == "darwin":
		return message.New("the folder %s cannot be read (%v): allow the program that starts this one to read it under System Settings, Privacy & Security, Files and Folders; then ask again", name, m.Reason)
	case errors.Is(m.Reason, fs.ErrPermission):
		return message.New("the folder %s cannot be read (%v): give your user permission to read it, then ask again", name, m.Reason)
	}
	return message.New("the folder %s cannot be read (%v): check its drive or network, then ask again", name, m.Reason)
}

// openMissing returns a folder that is opened as soon as it exists.
func openMissing(dir string) (*Folder, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", present.QuoteName(dir), err)
	}
	f := newFolder()
	f.dir, f.real = abs, resolveMissing(abs)
	_, _ = f.currentRoot() // records why it is missing
	return f, nil
}

// mayAppear reports whether a folder that cannot be opened may exist later.
func mayAppear(dir string) bool {
	info, err := os.Stat(dir)
	switch {
	case dir == "", errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		return false
	}
	return err != nil || info.IsDir()
}

// mostLinks is how many links a path may pass through.
const mostLinks = 40

// resolveMissing returns the path of a directory that does not exist, with the part of the path
// that exists in its canonical spelling and without symbolic links.
func resolveMissing(abs string) string {
	for range mostLinks {
		there, rest := splitExisting(abs)
		target, err := os.Readlink(there)
		if err != nil || isDir(there) {
			return filepath.Join(canonicalSpelling(there), rest)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(canonicalSpelling(filepath.Dir(there)), target)
		}
		abs = filepath.Join(target, rest)
	}
	return abs
}

// splitExisting splits an absolute path after the last element that exists, which may be a dangling
// link.
func splitExisting(abs string) (exists, rest string) {
	for exists = abs; ; exists = filepath.Dir(exists) {
		if _, err := os.Lstat(exists); err == nil || filepath.Dir(exists) == exists {
			return exists, rest
		}
		rest = filepath.Join(filepath.Base(exists), rest)
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// MissingError returns a FolderMissingError if the folder was not accessible at the last attempt, otherwise
// nil.
func (f *Folder) MissingError() error {
	if why := f.missing.Load(); why != nil {
		return *why
	}
	return nil
}

// lookupOrder orders lookups of a folder by their start: one that had to wait for its drive may end
// long after a later one.
type lookupOrder struct {
	begun atomic.Int64
	mu    sync.Mutex
	last  int64 // the start of the latest lookup with a result
}

// noteLookup records whether the lookup with that number found the folder accessible, and returns
// why not.
func (f *Folder) noteLookup(look int64, err error) error {
	if isProcessError(err) {
		return err
	}
	var m *FolderMissingError
	if err != nil {
		m = &FolderMissingError{f.dir, err}
	}
	f.looks.mu.Lock()
	defer f.looks.mu.Unlock()
	if look > f.looks.last {
		f.looks.last = look
		f.missing.Store(m)
	}
	if m == nil {
		return nil
	}
	return *m
}

// isProcessError reports whether an error is due to this process rather than to the
// folder, such as too many open files.
func isProcessError(err error) bool {
	for _, own := range []error{fs.ErrClosed, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.EINTR} {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}
