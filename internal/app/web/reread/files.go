// Package reread reloads files while a server runs: when they change, and on request.
package reread

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// Files are files that are loaded together, such as a certificate and its key, and loaded again
// when they change.
type Files struct {
	what  string       // name of the files in log messages
	take  func() error // loads the files, and keeps the result if they are valid
	log   *slog.Logger
	paths []string

	mu      sync.Mutex
	seen    []os.FileInfo // state of the files when last loaded; nil for a missing file
	tried   time.Time     // time of the last attempt if that failed, otherwise zero
	failure string        // error of the last attempt; "" if it succeeded
}

// retry is how long after a failure the files are loaded again although they look unchanged, as a
// permission may have been granted.
const retry = time.Second

// Open loads files for the first time by calling load, and returns its error. name names them at
// the beginning of log messages.
func Open(log *slog.Logger, name string, load func() error, paths ...string) (*Files, error) {
	f := &Files{what: name, take: load, log: log, paths: paths}
	f.seen = f.statFiles()
	return f, load()
}

// ReloadIfChanged loads the files again if they have changed. It takes so little time that it may
// be called for each request.
func (f *Files) ReloadIfChanged() {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.statFiles()
	same := slices.EqualFunc(now, f.seen, isSameStat)
	if same && (f.failure == "" || time.Since(f.tried) < retry) {
		return
	}
	_ = f.readFiles(now) // the error is logged
}

// Reload loads the files again, whether they have changed or not.
func (f *Files) Reload() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readFiles(f.statFiles())
}

// readFiles loads the files, whose state before is now. It logs a repeated failure only once. The
// caller holds f.mu.
func (f *Files) readFiles(now []os.FileInfo) error {
	f.seen = now
	err := f.take()
	if err == nil {
		f.failure = ""
		return nil
	}
	f.tried = time.Now()
	if f.failure != err.Error() {
		f.failure = err.Error()
		f.log.Error(f.what+" cannot be read again; what was read before stays in use", "error", err)
	}
	return err
}

// statFiles returns the current state of the files.
func (f *Files) statFiles() []os.FileInfo {
	all := make([]os.FileInfo, len(f.paths))
	for i, path := range f.paths {
		if info, err := os.Stat(path); err == nil {
			all[i] = info
		}
	}
	return all
}

// isSameStat reports whether a file seems unchanged.
func isSameStat(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// MaxFileBytes is the maximum size, in bytes, of a file that ReadFile reads.
const MaxFileBytes = 4 << 20

// ReadFile reads a whole file, and returns its state when it was opened as well.
func ReadFile(path string) (text []byte, info os.FileInfo, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	text, err = io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err == nil && len(text) > MaxFileBytes {
		err = fmt.Errorf("read %s: it has more than %d bytes", path, MaxFileBytes)
	}
	return text, info, err
}
