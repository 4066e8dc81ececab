package ocr

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"vademecum/internal/base/message"
)

// Pages are the recognised pages of a file, by page number from 1.
type Pages map[int]Page

// saved is the stored form of a page, a line of JSON. All pages of a document that were recognised
// in the same languages are in one file: a page is appended by a single write, and an incomplete
// line, as after the end of the process, is skipped. Other stores contain the same form.
type saved struct {
	Page       int    `json:"page"`
	Text       string `json:"text,omitempty"`
	Confidence int    `json:"confidence"`
	Why        string `json:"why,omitempty"`
	Languages  string `json:"languages,omitempty"` // "" for a page recognised by an earlier version
	Layout     []byte `json:"layout,omitempty"`    // empty for a page recognised by an earlier version
}

// LikelyLanguages returns the likely languages of a page: those of the nearest earlier page with
// text, or "" if there is none.
func (all Pages) LikelyLanguages(number int) (languages string) {
	last := 0
	for before, page := range all {
		if last < before && before < number && page.Text != "" {
			last, languages = before, page.Languages
		}
	}
	return languages
}

// Store stores recognised pages in encoded form, by page number. A file is identified by the
// SHA-256 of its content; languages are those of the recognition.
type Store interface {
	RecognisedPages(ctx context.Context, fileHash [32]byte, languages string) (map[int][]byte, error)
	SaveRecognised(ctx context.Context, fileHash [32]byte, languages string, page int, content []byte) error
}

// StoredPages returns the recognised pages of a file, identified by the SHA-256 of its content, in
// the languages of the open program. They come from this machine or the shared store. The result is
// nil before Open has succeeded: StoredPages does not start the program, so that reading a file
// does not wait for it.
func (r *Recogniser) StoredPages(ctx context.Context, fileHash [32]byte) Pages {
	if r == nil {
		return nil
	}
	p := r.program.Load()
	if p == nil {
		return nil
	}
	own, err := directory(r.options.PagesDir).RecognisedPages(ctx, fileHash, p.languages.key())
	if err != nil {
		own = nil // they will be recognised again
	}
	all := own
	if r.shared != nil {
		all = r.exchange(ctx, fileHash, p.languages.key(), own)
	}
	pages := make(Pages)
	for number, content := range all {
		var s saved
		if json.Unmarshal(content, &s) == nil {
			pages[number] = Page{s.Text, s.Confidence, message.Message(s.Why), s.Languages, string(s.Layout)}
		}
	}
	return pages
}

// exchange returns the pages of this machine and of the shared store, and adds missing pages to the
// store. If the store fails, it returns what it has.
func (r *Recogniser) exchange(ctx context.Context, file [32]byte, languages string, own map[int][]byte) map[int][]byte {
	all, err := r.shared.RecognisedPages(ctx, file, languages)
	if err != nil {
		return own
	}
	for number, content := range own {
		if _, ok := all[number]; ok {
			continue
		}
		if err := r.shared.SaveRecognised(ctx, file, languages, number, content); err != nil {
			break // retried when the file is read again
		}
	}
	maps.Copy(all, own)
	return all
}

// Save stores a recognised page of a file. Open must have succeeded.
func (r *Recogniser) Save(ctx context.Context, fileHash [32]byte, number int, page Page) error {
	content, err := json.Marshal(saved{number, page.Text, page.ConfidencePercent, string(page.NoTextReason), page.Languages, []byte(page.PackedLayout)})
	if err != nil {
		return err
	}
	languages := r.program.Load().languages.key()
	if err := directory(r.options.PagesDir).SaveRecognised(ctx, fileHash, languages, number, content); err != nil || r.shared == nil {
		return err
	}
	return r.shared.SaveRecognised(ctx, fileHash, languages, number, content)
}

// directory stores pages on this machine, readable only by the user.
type directory string

// RecognisedPages implements Store.
func (d directory) RecognisedPages(_ context.Context, file [32]byte, languages string) (map[int][]byte, error) {
	pages := make(map[int][]byte)
	content, err := os.ReadFile(d.fileOf(file, languages))
	if errors.Is(err, fs.ErrNotExist) {
		return pages, nil
	}
	for line := range bytes.Lines(content) {
		var s saved
		if json.Unmarshal(line, &s) == nil && s.Page > 0 {
			pages[s.Page] = bytes.TrimSuffix(line, []byte("\n"))
		}
	}
	return pages, err
}

// SaveRecognised implements Store. Each page is appended as a line.
func (d directory) SaveRecognised(_ context.Context, file [32]byte, languages string, _ int, content []byte) error {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return fmt.Errorf("make a place for recognised pages: %w", err)
	}
	out, err := os.OpenFile(d.fileOf(file, languages), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = out.WriteString("\n" + string(content) + "\n") // the previous line may be incomplete
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return fmt.Errorf("keep a recognised page: %w", err)
	}
	return nil
}

// fileOf returns the path of the file with the pages of a document.
func (d directory) fileOf(file [32]byte, languages string) string {
	return filepath.Join(string(d), hex.EncodeToString(file[:])+"."+languages+".jsonl")
}
