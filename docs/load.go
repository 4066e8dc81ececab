package docs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/internal/base/present"
)

// A RawFile is the content and the metadata of a file at the time it was read.
type RawFile struct {
	Path       string    // slash-separated, relative to the folder
	Size       int64     // in bytes
	ModTime    time.Time // modification time
	ChangeTime time.Time // time of the last change of content or metadata; zero if unknown
	Hash       [32]byte  // SHA-256 of the content

	bytes []byte
	links []string // names of links in the folder to the file
	names programNames
}

// Load reads the file at path, a slash path relative to the folder. It also reads pictures, which
// scans skip. If the file should not be indexed, the error matches *extract.SkipError (errors.As).
// If ctx ends, the error is that of ctx, even if the file system does not answer. After a long time
// without an answer it matches ErrNotResponding.
func (f *Folder) Load(ctx context.Context, path string) (RawFile, error) {
	raw, err := runAbandonable(ctx, f, "load", func(c *pendingCall) (RawFile, error) { return f.load(c, path) })
	if err != nil {
		return RawFile{}, fmt.Errorf("read %s: %w", present.QuoteName(path), err)
	}
	return raw, nil
}

// LoadPicture reads a picture for display or OCR, whether it is indexed or not.
func (f *Folder) LoadPicture(ctx context.Context, path string) (RawFile, error) {
	raw, err := runAbandonable(ctx, f, "load", func(c *pendingCall) (RawFile, error) { return f.loadPicture(c, path) })
	if err != nil {
		return RawFile{}, fmt.Errorf("read %s: %w", present.QuoteName(path), err)
	}
	return raw, nil
}

func (f *Folder) loadPicture(c *pendingCall, path string) (RawFile, error) {
	_, file, info, err := f.openFile(path)
	if err != nil {
		return RawFile{}, err
	}
	defer file.Close()
	if info.Size() > extract.MaxFileBytes {
		return RawFile{}, extract.ErrTooLarge
	}
	content, err := io.ReadAll(io.LimitReader(answeringReader{file, c}, extract.MaxFileBytes))
	if err != nil {
		return RawFile{}, underlyingError(err)
	}
	return RawFile{Path: path, Size: int64(len(content)), ModTime: info.ModTime(), ChangeTime: changeTime(info), Hash: sha256.Sum256(content), bytes: content}, nil
}

// CheckNeedsOCR checks by the header of a picture (see File.NeedsOCR) whether it needs OCR, and
// returns an error if it does not. Other errors are those of Load.
func (f *Folder) CheckNeedsOCR(ctx context.Context, path string) error {
	_, err := runAbandonable(ctx, f, "look at", func(c *pendingCall) (struct{}, error) { return struct{}{}, f.inspectPicture(c, path) })
	if err != nil {
		return fmt.Errorf("read %s: %w", present.QuoteName(path), err)
	}
	return nil
}

func (f *Folder) inspectPicture(c *pendingCall, path string) error {
	_, file, _, err := f.openFile(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return underlyingError(formats.CheckNeedsOCR(path, answeringReader{file, c}))
}

func (f *Folder) load(c *pendingCall, path string) (RawFile, error) {
	if formats.IsPicture(path) {
		return f.loadPicture(c, path)
	}
	root, file, info, err := f.openFile(path)
	if err != nil {
		return RawFile{}, err
	}
	defer file.Close()
	if reason := formats.SkipReason(path, info.Size()); reason != "" {
		return RawFile{}, &extract.SkipError{Reason: reason}
	}
	content, err := readDocument(path, answeringReader{file, c}, info.Size())
	if err != nil {
		return RawFile{}, err
	}
	if err := checkContent(path, content); err != nil {
		return RawFile{}, err
	}
	return RawFile{Path: path, Size: int64(len(content)), ModTime: info.ModTime(), ChangeTime: changeTime(info), Hash: sha256.Sum256(content), bytes: content, links: f.linkNames(root, path), names: f.programNamesOf(c, root, path, content)}, nil
}

// openFile opens a regular file of the folder, and also returns the directory through which it did so.
func (f *Folder) openFile(path string) (*os.Root, *os.File, fs.FileInfo, error) {
	root, err := f.lastOrCurrentRoot()
	if err != nil {
		return nil, nil, nil, err
	}
	file, info, err := openRegular(root, path, f.isOpenIndexFile)
	return root, file, info, err
}

// openRegular opens a regular file, never a pipe or a device, which could block. It checks the type
// before opening, as opening a device may have effects, and again afterwards, as another file may
// have taken its place. A file for which isHeld returns true is not opened, as closing it would
// drop its locks.
func openRegular(root *os.Root, path string, isHeld func(path string, info fs.FileInfo) bool) (*os.File, fs.FileInfo, error) {
	slashed, path := path, filepath.FromSlash(path)
	info, err := root.Lstat(path)
	if err != nil {
		return nil, nil, underlyingError(err)
	}
	if isHeld(slashed, info) {
		return nil, nil, extract.Skip("the file of an index")
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	file, err := root.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, nil, underlyingError(err)
	}
	if info, err = file.Stat(); err == nil && info.Mode().IsRegular() {
		return file, info, nil
	}
	file.Close()
	if err != nil {
		return nil, nil, underlyingError(err)
	}
	return nil, nil, errNotRegular
}

var errNotRegular = extract.Skip("not a regular file")

// answeringReader reads a file and records an answer of the file system for each piece.
type answeringReader struct {
	file *os.File
	call *pendingCall
}

func (a answeringReader) Read(p []byte) (int, error) {
	const piece = 1 << 20 // bytes; slow networks take a second for that many
	n, err := a.file.Read(p[:min(len(p), piece)])
	a.call.noteAnswer()
	return n, err
}

// heads are buffers for the first bytes of files; most files fit into one.
var heads = sync.Pool{New: func() any { return new([extract.SniffBytes]byte) }}

// readDocument reads a file of about size bytes. It stops early if the file turns out not to be a
// document or has grown above the limit.
func readDocument(path string, file io.Reader, size int64) ([]byte, error) {
	head := heads.Get().(*[extract.SniffBytes]byte)
	defer heads.Put(head)
	n, err := io.ReadFull(file, head[:])
	if reason := formats.SkipReasonByHead(path, head[:n]); reason != "" {
		return nil, &extract.SkipError{Reason: reason}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return bytes.Clone(head[:n]), nil
	}
	if err != nil {
		return nil, underlyingError(err)
	}
	all := bytes.NewBuffer(append(make([]byte, 0, max(size, extract.SniffBytes)+bytes.MinRead), head[:]...)) // reallocated only if the file has grown
	if _, err := all.ReadFrom(io.LimitReader(file, extract.MaxFileBytes+1-int64(n))); err != nil {
		return nil, underlyingError(err)
	}
	if reason := formats.SkipReason(path, int64(all.Len())); reason != "" {
		return nil, &extract.SkipError{Reason: reason}
	}
	return all.Bytes(), nil
}

// BrowserPicture returns the content of a picture and its media type; mime is "" if browsers cannot
// display it.
func (r RawFile) BrowserPicture() (content []byte, mime string) {
	return r.bytes, formats.BrowserPictureType(r.Path, r.bytes)
}

// DrawPage draws a page of the file as PNG. If nothing can be drawn, the error matches
// *extract.SkipError (errors.As).
func (r RawFile) DrawPage(ctx context.Context, request extract.DrawingRequest) ([]byte, error) {
	picture, err := formats.Draw(ctx, r.Path, r.bytes, request)
	if err != nil {
		return nil, fmt.Errorf("draw %s: %w", present.QuoteName(r.Path), err)
	}
	return picture, nil
}
