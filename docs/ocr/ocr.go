// Package ocr recognises the text of pictures with the program tesseract
// (github.com/tesseract-ocr/tesseract), version 4 or later, if it is installed. It stores the text
// of each page, so that no page is recognised twice.
//
// The program reads the picture from its standard input: the picture is not written to disk, and
// nothing leaves the machine.
package ocr

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"

	"vademecum/internal/base/external"
	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// AutoProgram denotes the program found on this machine.
const AutoProgram = "auto"

// ErrNotInstalled reports that tesseract is not installed, or cannot be found.
var ErrNotInstalled = message.Errorf("tesseract is not installed")

// ErrTooLittleCPU is the error for a page for which the program exceeded its time without getting
// much of the processor: the machine is busy, or the program waits for something. A retry may
// succeed.
var ErrTooLittleCPU = message.Errorf("tesseract timed out because it got almost no CPU time")

// IsTransient reports whether the page may be recognised in a later attempt: the machine was too
// busy, or the program was killed, as when memory is short.
func IsTransient(err error) bool {
	return errors.Is(err, ErrTooLittleCPU) || errors.Is(err, external.ErrKilled)
}

// Options configures text recognition.
type Options struct {
	Program   string // AutoProgram, or the name or path of the program
	Languages string // in tesseract's format, such as "eng+deu"; "" to choose from those installed
	PagesDir  string // directory for recognised pages, created on first use
}

// Recogniser recognises pages. Its methods are safe for concurrent use. Only Open and Recognise
// look for the program and start it.
type Recogniser struct {
	options Options

	shared  Store                   // shared store; nil if pages are stored only on this machine
	opening sync.Mutex              // held while looking for the program
	program atomic.Pointer[program] // nil until the program was opened
	failed  atomic.Bool             // the program failed on every picture: it is looked for again
}

// New returns a Recogniser.
func New(o Options) *Recogniser { return &Recogniser{options: o} }

// SetSharedStore makes the Recogniser store pages also in a store that other machines share. It must be
// called before any other method.
func (r *Recogniser) SetSharedStore(s Store) { r.shared = s }

// CacheDir returns the directory for recognised pages in the user's cache directory, which all indexes
// share. The error explains why there is none.
func CacheDir() (string, error) {
	cache, err := system.CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "recognised-1"), system.CheckOwner(cache) // the number is the version of the file format
}

// IsConfiguredByUser reports whether the user has chosen a program or languages.
func (r *Recogniser) IsConfiguredByUser() bool {
	return r.options.Program != AutoProgram || r.options.Languages != ""
}

// IsInstalled reports whether the program exists, without starting it.
func (r *Recogniser) IsInstalled() bool {
	_, err := find(r.options.Program)
	return err == nil
}

// Open looks for the program, unless it was found before, and returns an error if none can be used:
// ErrNotInstalled if none was named and none is installed. With a program that hangs, it takes up to a
// minute.
func (r *Recogniser) Open(ctx context.Context) error {
	_, err := r.opened(ctx)
	return err
}

func (r *Recogniser) opened(ctx context.Context) (*program, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	if p := r.program.Load(); p != nil && !r.failed.Load() {
		return p, nil
	}
	p, err := open(ctx, r.options)
	if err != nil {
		return nil, err
	}
	r.program.Store(p)
	r.failed.Store(false)
	return p, nil
}

// Languages returns the languages in which pages are read first, such as "eng+chi_sim"; "" before
// Open has succeeded.
func (r *Recogniser) Languages() string {
	if p := r.program.Load(); p != nil {
		return p.languages.first
	}
	return ""
}

// Recognise returns the text of a page, given as a PNG of some 300 dots per inch. It runs the
// program at low priority, one process at a time. likelyLanguages are the languages of an earlier
// page of the document, see Pages.LikelyLanguages. A page without confident text, or on which the
// program fails, has a reason instead of a text. The error is that of ctx, a transient one (see
// IsTransient), or one that says that the program currently fails on any picture.
func (r *Recogniser) Recognise(ctx context.Context, png []byte, likelyLanguages string) (Page, error) {
	p, err := r.opened(ctx)
	if err != nil {
		return Page{}, err
	}
	page, err := p.read(ctx, png, likelyLanguages)
	switch {
	case ctx.Err() != nil:
		return Page{}, ctx.Err()
	case err == nil || IsTransient(err):
		return page, err
	}
	if broken := p.check(ctx); broken != nil {
		r.failed.Store(true) // until another program is found, the pages recognised by this one are available
		return Page{}, broken
	}
	return Page{NoTextReason: message.FromError(err)}, nil // the page is at fault
}
