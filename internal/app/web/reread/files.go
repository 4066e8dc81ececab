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

// Files are files that are loaded together: a certificate and its key, or a single list.
type Files struct {
	what  string       // name of the files, for the log
	take  func() error // loads the files, and keeps the result if it is usable
	log   *slog.Logger
	paths []string

	mu      sync.Mutex
	seen    []os.FileInfo // state when last loaded; nil for a missing file
	tried   time.Time     // time of the last attempt, if it failed
	failure string        // error of the last attempt; "" if it succeeded
}

// retry is after how long unusable files are loaded again although they look unchanged, as a
// permission may have been granted.
const retry = time.Second

// Open loads files for the first time. what names them at the beginning of log messages.
func Open(log *slog.Logger, what string, load func() error, paths ...string) (*Files, error) {
	f := &Files{what: what, take: load, log: log, paths: paths}
	f.seen = f.statFiles()
	return f, load()
}

// ReloadIfChanged reloads the files if they have changed. It is cheap enough to be called for each
// request.
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

// Reload reloads the files, changed or not.
func (f *Files) Reload() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readFiles(f.statFiles())
}

// readFiles loads the files; now is their state before. The caller holds f.mu. A repeated failure
// is logged only once.
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

// MaxListSize is the maximum size of a file that ReadList reads, in bytes.
const MaxListSize = 4 << 20

// ReadList reads a text file, and returns its state at the time it was opened.
func ReadList(path string) (text []byte, info os.FileInfo, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	text, err = io.ReadAll(io.LimitReader(f, MaxListSize+1))
	if err == nil && len(text) > MaxListSize {
		err = fmt.Errorf("read %s: it has more than %d bytes", path, MaxListSize)
	}
	return text, info, err
}
