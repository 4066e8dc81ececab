// Package ocr recognises the text of pictures with the program tesseract
// (github.com/tesseract-ocr/tesseract), version 4 or later, if it is installed, and
// stores the text of each page, so that no page is recognised twice.
//
// The program reads the picture from its standard input: nothing of it is written to the
// disk, and nothing leaves the machine.
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

// Auto stands for the program found on this machine.
const Auto = "auto"

// ErrNotFound reports that tesseract is not installed, or cannot be found.
var ErrNotFound = message.Errorf("tesseract is not installed")

// ErrTooLittleCPU is the error of a page for which the program used up its time without getting
// much of the processor: the machine is busy, or the program waits for something. A retry may
// succeed.
var ErrTooLittleCPU = message.Errorf("tesseract ran out of time, as it got hardly any of the processor")

// IsTransient reports whether a page may be recognised at another time despite this error: the
// machine was too busy, or the program was killed, as when memory is short.
func IsTransient(err error) bool {
	return errors.Is(err, ErrTooLittleCPU) || errors.Is(err, external.ErrKilled)
}

// Options configures text recognition.
type Options struct {
	Program   string // Auto, or the name or the path of the program
	Languages string // as tesseract takes them, such as "eng+deu"; "" to choose from those installed
	Dir       string // folder for recognised pages, created on first use
}

// Recogniser recognises pages. Its methods may be called from several goroutines at once.
// It looks for a program and starts it only in Open and Recognise.
type Recogniser struct {
	options Options

	shared  Store                   // nil: pages are kept on this machine alone
	opening sync.Mutex              // held while the program is looked for
	program atomic.Pointer[program] // nil until one was opened
	failed  atomic.Bool             // the program has failed of any picture: it is looked for again
}

// New returns a Recogniser.
func New(o Options) *Recogniser { return &Recogniser{options: o} }

// ShareIn stores pages also in a place shared with other machines. It must be called
// before any other method.
func (r *Recogniser) ShareIn(s Store) { r.shared = s }

// Dir returns the folder for recognised pages in the user's cache folder, shared by all
// indexes. The error explains why there is none.
func Dir() (string, error) {
	cache, err := system.CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "recognised-1"), system.CheckOwner(cache) // the number is that of the form of the files
}

// IsChosen reports whether the user has named the program, or languages.
func (r *Recogniser) IsChosen() bool {
	return r.options.Program != Auto || r.options.Languages != ""
}

// IsInstalled reports whether the program exists. It does not start it.
func (r *Recogniser) IsInstalled() bool {
	_, err := find(r.options.Program)
	return err == nil
}

// Open looks for the program, unless it was found before, and returns why none can be
// used: ErrNotFound when none was named and none is installed. It takes up to a minute
// with a program that hangs.
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

// Languages returns the languages in which text is recognised at first, such as "eng+chi_sim";
// "" before Open has succeeded.
func (r *Recogniser) Languages() string {
	if p := r.program.Load(); p != nil {
		return p.languages.first
	}
	return ""
}

// Recognise returns what the program reads on a picture of a page, a PNG of some 300 dots per inch,
// in processes of low priority, one at a time. The page is likely to be in the languages of an
// earlier one of its document, see Pages.LikelyLanguages. A page without confident text, or on
// which the program fails, has a reason instead of a text. The error is that of ctx, one that
// IsTransient, or that the program fails of any picture now.
func (r *Recogniser) Recognise(ctx context.Context, png []byte, likely string) (Page, error) {
	p, err := r.opened(ctx)
	if err != nil {
		return Page{}, err
	}
	page, err := p.read(ctx, png, likely)
	switch {
	case ctx.Err() != nil:
		return Page{}, ctx.Err()
	case err == nil || IsTransient(err):
		return page, err
	}
	if broken := p.check(ctx); broken != nil {
		r.failed.Store(true) // another may be installed; until then the pages of this one are known
		return Page{}, broken
	}
	return Page{Why: message.OfError(err)}, nil // it is the page
}
