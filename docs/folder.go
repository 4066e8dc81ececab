package docs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"vademecum/internal/base/present"
)

// A Folder is a directory opened for reading. Nothing outside it can be
// reached through it. Its methods are safe for concurrent use.
type Folder struct {
	dir  string // absolute path as given to Open
	real string // the same path with links resolved, which is opened and watched

	away    atomic.Pointer[string]             // path of a remote folder, see SetRemoteDir; nil if local
	missing atomic.Pointer[FolderMissingError] // why it was not accessible last time; nil if it was
	looks   lookupOrder
	known   atomic.Pointer[string] // the identity of the directory, see ExpectIdentity

	indexes []string // absolute paths of index files, see ExcludeIndexes
	recent  cachedIndexFiles
	links   linksByTarget
	slack   lastSlackNames

	calls   *pendingCalls // to the file system of the folder
	lookups *pendingCalls // that look up paths, which may lead to another file system

	mu               sync.RWMutex
	root             *os.Root // nil if the file system has not answered since Open
	closed           bool
	replacementCount int // number of replacements, see RootReplacementCount
}

// Open opens a folder that exists, as Opener does.
func Open(dir string) (*Folder, error) { return Opener{}.Open(dir) }

// Opener opens folders.
type Opener struct {
	AllowMissing bool          // a folder need not exist yet: it is opened as soon as it does
	Timeout      time.Duration // how long to wait for a file system; 0 means openTimeout
}

// openTimeout is how long a file system is waited for: a disk that sleeps may take longer.
const openTimeout = 2 * time.Second

// Open opens the directory dir. Symbolic links in the path are resolved once: the folder is the
// directory that they lead to now. If the file system does not answer in time, the directory is opened
// when it does. The error is one line with the absolute path and the reason; with AllowMissing, it is
// one that waiting cannot fix.
func (o Opener) Open(dir string) (*Folder, error) {
	if dir == "" {
		return nil, errors.New("the name of the folder is empty")
	}
	f, err := openWithTimeout(dir, cmp.Or(o.Timeout, openTimeout), openDirectory)
	if err != nil && o.AllowMissing && mayAppear(dir) {
		return openMissing(dir)
	}
	return f, err
}

func newFolder() *Folder {
	return &Folder{calls: newPendingCalls(), lookups: newPendingCalls()}
}

// openedRoot is an open directory and its properties.
type openedRoot struct {
	dir, real string
	root      *os.Root
}

// openWithTimeout opens a folder with the directory that open returns within timeout, if any.
func openWithTimeout(dir string, timeout time.Duration, open func(dir string) (openedRoot, error)) (*Folder, error) {
	f := newFolder()
	c, done := startCall(f.calls, "open", func(*pendingCall) (openedRoot, error) { return open(dir) })
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	select {
	case o := <-done:
		d, err := o.result()
		f.dir, f.real, f.root = d.dir, d.real, d.root
		if err != nil {
			return nil, err
		}
		return f, nil
	case <-limit.C:
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", present.QuoteName(dir), err)
	}
	c.left.Store(true)
	f.dir, f.real = abs, abs
	go func() {
		if o := <-done; o.value.root != nil {
			_, _ = f.replaceRoot(nil, o.value.root) // if this fails, the next scan reports the error
		}
	}()
	return f, nil
}

func openDirectory(dir string) (openedRoot, error) {
	abs, err := absolutePath(dir)
	if err != nil {
		return openedRoot{}, fmt.Errorf("open %s: %w", present.QuoteName(dir), err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return openedRoot{}, fmt.Errorf("open %s: no such folder", present.QuoteName(abs))
	case err != nil:
		return openedRoot{}, openError(abs, err)
	case !info.IsDir():
		return openedRoot{}, fmt.Errorf("open %s: is a file, not a folder", present.QuoteName(abs))
	}
	real := canonicalSpelling(abs)
	root, err := os.OpenRoot(real)
	if err != nil {
		return openedRoot{}, openError(abs, err)
	}
	return openedRoot{abs, real, root}, nil
}

// openError returns the error for a directory that cannot be opened. If permission is missing, the
// error includes advice.
func openError(abs string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return FolderMissingError{abs, underlyingError(err)}
	}
	return fmt.Errorf("open %s: %w", present.QuoteName(abs), underlyingError(err))
}

// Dir returns the absolute path of the folder, cleaned, in the spelling it was opened with. This is
// the path to show to people.
func (f *Folder) Dir() string {
	if away := f.away.Load(); away != nil {
		return *away
	}
	return f.dir
}

// RealPath returns the absolute path of the folder with symbolic links resolved. It does not depend
// on the spelling of the path given to Open.
func (f *Folder) RealPath() string {
	if f.IsRemote() {
		return f.Dir()
	}
	return f.real
}

// Close releases the folder. Methods called afterwards fail.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}

// lastRoot returns the directory that was opened last, or nil if none was.
func (f *Folder) lastRoot() *os.Root {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.root
}

// currentRoot returns the directory that is at the path of the folder now. After a backup was
// restored, a sync, or the removal of a drive, it may differ from the open directory, which would
// no longer change. If there is none, the error is a FolderMissingError.
func (f *Folder) currentRoot() (*os.Root, error) {
	if f.IsRemote() {
		return nil, ErrRemoteFolder
	}
	look := f.looks.begun.Add(1)
	root, err := f.findRoot()
	return root, f.noteLookup(look, err)
}

func (f *Folder) findRoot() (*os.Root, error) {
	held := f.lastRoot()
	there, err := os.Stat(f.real)
	if err != nil {
		return nil, underlyingError(err)
	}
	if err := f.checkMounted(there); err != nil {
		return nil, err
	}
	if held != nil {
		here, err := held.Stat(".")
		switch {
		case errors.Is(err, fs.ErrClosed):
			return nil, underlyingError(err)
		case err == nil && os.SameFile(here, there):
			return held, nil
		}
	}
	root, err := os.OpenRoot(f.real)
	if err != nil {
		return nil, underlyingError(err)
	}
	return f.replaceRoot(held, root)
}

// replaceRoot makes root the directory of the folder instead of old. It returns the current one,
// since a concurrent call may have replaced old first.
func (f *Folder) replaceRoot(old, root *os.Root) (*os.Root, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return nil, errors.Join(fs.ErrClosed, root.Close())
	case f.root != old:
		return f.root, root.Close()
	}
	f.root = root
	if old == nil {
		return root, nil
	}
	f.replacementCount++
	return root, old.Close()
}

// RootReplacementCount returns how often another directory has appeared at the path of the folder, as
// when a drive is changed.
func (f *Folder) RootReplacementCount() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.replacementCount
}

// lastOrCurrentRoot returns the directory that was opened last or, if none was, the one at the path
// now.
func (f *Folder) lastOrCurrentRoot() (*os.Root, error) {
	if root := f.lastRoot(); root != nil {
		return root, nil
	}
	return f.currentRoot()
}

// underlyingError strips the operation and path that the os package puts before an
// error, for messages that name the path themselves.
func underlyingError(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
