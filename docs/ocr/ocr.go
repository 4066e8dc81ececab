// Package ocr recognises the text of pictures with the program tesseract
// (github.com/tesseract-ocr/tesseract), version 4 or later, where that is installed, and
// keeps what it said of each page, so that no page is recognised twice.
//
// The picture is given to the program on its standard input: nothing of it is written to
// the disk, and nothing leaves the machine.
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

// Auto is the program that is looked for where none is named.
const Auto = "auto"

// ErrNotFound says that tesseract is not installed, as far as one can see.
var ErrNotFound = message.Errorf("tesseract is not installed")

// ErrTooLittleCPU is the error of a page for which the program used up its time without getting much
// of the processor: the machine is busy, or the program waits for something. It may be tried again.
var ErrTooLittleCPU = message.Errorf("tesseract ran out of time, as it got hardly any of the processor")

// IsTransient tells whether a page may be recognised at another time that was not for this error: the
// machine was too busy, or the program was killed, as for want of memory.
func IsTransient(err error) bool {
	return errors.Is(err, ErrTooLittleCPU) || errors.Is(err, external.ErrKilled)
}

// Options say how text is recognised.
type Options struct {
	Program   string // Auto, or the name or the path of the program
	Languages string // as tesseract takes them, such as "eng+deu"; "": chosen from those installed
	Dir       string // where recognised pages are kept; made when the first one is
}

// Recogniser recognises pages. Its methods may be called from several goroutines at once.
// No program is looked for or started before Open or Recognise.
type Recogniser struct {
	options Options

	shared  Store                   // nil: pages are kept on this machine alone
	opening sync.Mutex              // held while the program is looked for
	program atomic.Pointer[program] // nil until one was opened
	failed  atomic.Bool             // the program has failed of any picture: it is looked for again
}

// New makes a Recogniser.
func New(o Options) *Recogniser { return &Recogniser{options: o} }

// ShareIn has pages kept in a place that other machines have, too. It is called before any
// other method.
func (r *Recogniser) ShareIn(s Store) { r.shared = s }

// Dir is where recognised pages are kept in the user's cache folder, by all indexes. The error
// says why there is no such place.
func Dir() (string, error) {
	cache, err := system.CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "recognised-1"), system.CheckOwner(cache) // the number is that of the form of the files
}

// IsChosen tells whether somebody has named the program, or languages.
func (r *Recogniser) IsChosen() bool {
	return r.options.Program != Auto || r.options.Languages != ""
}

// IsInstalled tells whether the program is there. It does not start it.
func (r *Recogniser) IsInstalled() bool {
	_, err := find(r.options.Program)
	return err == nil
}

// Open looks for the program, unless that has been found, and tells why none can be
// used: ErrNotFound when none was named and none is there. It takes up to a minute with a
// program that hangs.
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

// Languages returns those in which text is recognised at first, such as "eng+chi_sim"; "" while
// no program is open.
func (r *Recogniser) Languages() string {
	if p := r.program.Load(); p != nil {
		return p.languages.first
	}
	return ""
}

// Recognise returns what the program reads on a picture of a page, a PNG of some 300 dots
// per inch, in processes of low priority, one at a time. The page is likely to be in the
// languages of an earlier one of its document, see Pages.LikelyLanguages. A page of which nothing is sure
// enough, or of which the program fails, has no text but a reason. The error is that of ctx, one that
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
