// Package reread reads files again while a server runs: when they change, and on request.
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

// Files are files that are read together: a certificate and its key, or one list.
type Files struct {
	what  string       // they are, for the log
	take  func() error // reads them, and keeps the result if it can be used
	log   *slog.Logger
	paths []string

	mu      sync.Mutex
	seen    []os.FileInfo // when they were read last; nil for one that was not there
	tried   time.Time     // when that was, if it failed
	failure string        // why, "" if it did not
}

// retry is after what time unusable files are read again although they look the same: a
// permission may have been granted.
const retry = time.Second

// Open reads files for the first time. what is the subject of sentences in the log.
func Open(log *slog.Logger, what string, load func() error, paths ...string) (*Files, error) {
	f := &Files{what: what, take: load, log: log, paths: paths}
	f.seen = f.statFiles()
	return f, load()
}

// RereadIfChanged reads the files again if they have changed. It is cheap enough to be
// called with each request.
func (f *Files) RereadIfChanged() {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.statFiles()
	same := slices.EqualFunc(now, f.seen, isSameStat)
	if same && (f.failure == "" || time.Since(f.tried) < retry) {
		return
	}
	_ = f.readFiles(now) // it is in the log
}

// Reread reads the files again, changed or not.
func (f *Files) Reread() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readFiles(f.statFiles())
}

// readFiles reads the files, and records their state before. The caller holds f.mu. A
// repeated failure is logged once.
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

// MostOfList limits the size of a file that ReadList reads, in bytes.
const MostOfList = 4 << 20

// ReadList reads a text file, and returns its state when it was opened.
func ReadList(path string) (text []byte, info os.FileInfo, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	text, err = io.ReadAll(io.LimitReader(f, MostOfList+1))
	if err == nil && len(text) > MostOfList {
		err = fmt.Errorf("read %s: it has more than %d bytes", path, MostOfList)
	}
	return text, info, err
}
