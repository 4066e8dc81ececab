// Package reread keeps what stands in files as the files have it now, while a server
// runs: they are read again when they change, and when somebody asks for it.
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

// Files are read together: a certificate and its key, or one list.
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

// retry is after what time files that could not be used are tried again although
// they look the same: a permission may have been given.
const retry = time.Second

// Open reads files for the first time. What is the subject of a sentence in the log.
func Open(log *slog.Logger, what string, load func() error, paths ...string) (*Files, error) {
	f := &Files{what: what, take: load, log: log, paths: paths}
	f.seen = f.statFiles()
	return f, load()
}

// RereadIfChanged reads the files again if they have changed. It costs little enough to be
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

// Reread reads the files again however they look.
func (f *Files) Reread() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readFiles(f.statFiles())
}

// readFiles takes in the files, which looked like now before. It is called with f.mu
// held. What fails in the same way again and again is logged once.
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

// statFiles tells how the files look now.
func (f *Files) statFiles() []os.FileInfo {
	all := make([]os.FileInfo, len(f.paths))
	for i, path := range f.paths {
		if info, err := os.Stat(path); err == nil {
			all[i] = info
		}
	}
	return all
}

// isSameStat tells whether a file looks like before.
func isSameStat(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// MostOfList bounds what List reads, in bytes.
const MostOfList = 4 << 20

// ReadList reads a file of lines, and tells how it looked when it was opened.
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
