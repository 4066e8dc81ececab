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

// Pages are the recognised pages of a file by their numbers, from 1.
type Pages map[int]Page

// saved is a page as a line of a file has it. All pages of a document that were recognised
// in the same languages are in one file: a page is added by one write, and a line that was
// cut, as by the end of the process, is passed over. Other stores keep such a line, too.
type saved struct {
	Page       int    `json:"page"`
	Text       string `json:"text,omitempty"`
	Confidence int    `json:"confidence"`
	Why        string `json:"why,omitempty"`
	Languages  string `json:"languages,omitempty"` // empty for a page recognised by an earlier version
	Layout     []byte `json:"layout,omitempty"`    // as above
}

// LikelyLanguages returns the likely languages of a page: those of the last page before it with
// text; "" if there is none.
func (all Pages) LikelyLanguages(number int) (languages string) {
	last := 0
	for before, page := range all {
		if last < before && before < number && page.Text != "" {
			last, languages = before, page.Languages
		}
	}
	return languages
}

// Store stores recognised pages of a file, by the SHA-256 of its bytes and the languages
// for OCR.
type Store interface {
	RecognisedPages(ctx context.Context, file [32]byte, languages string) (map[int][]byte, error)
	SaveRecognised(ctx context.Context, file [32]byte, languages string, page int, content []byte) error
}

// Known returns the recognised pages of a file, by the SHA-256 of its bytes, in the languages
// of the open program, from this machine or others that share them; nil before Open has
// succeeded. It does not start the program: reading a file does not wait for that.
func (r *Recogniser) Known(ctx context.Context, file [32]byte) Pages {
	if r == nil {
		return nil
	}
	p := r.program.Load()
	if p == nil {
		return nil
	}
	own, err := directory(r.options.Dir).RecognisedPages(ctx, file, p.languages.key())
	if err != nil {
		own = nil // they are recognised again
	}
	all := own
	if r.shared != nil {
		all = r.exchange(ctx, file, p.languages.key(), own)
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

// exchange returns the pages of this machine and of the shared store, and adds to the store
// those it lacks. On an error it returns what it has.
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
			break // it is tried again when the file is read the next time
		}
	}
	maps.Copy(all, own)
	return all
}

// Save stores a page of a file. Open must have succeeded.
func (r *Recogniser) Save(ctx context.Context, file [32]byte, number int, page Page) error {
	content, err := json.Marshal(saved{number, page.Text, page.Confidence, string(page.Why), page.Languages, []byte(page.Layout)})
	if err != nil {
		return err
	}
	languages := r.program.Load().languages.key()
	if err := directory(r.options.Dir).SaveRecognised(ctx, file, languages, number, content); err != nil || r.shared == nil {
		return err
	}
	return r.shared.SaveRecognised(ctx, file, languages, number, content)
}

// directory is where pages are kept on this machine, for the user alone.
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
		_, err = out.WriteString("\n" + string(content) + "\n") // after a line that was cut
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return fmt.Errorf("keep a recognised page: %w", err)
	}
	return nil
}

// fileOf returns where the pages of a file are kept.
func (d directory) fileOf(file [32]byte, languages string) string {
	return filepath.Join(string(d), hex.EncodeToString(file[:])+"."+languages+".jsonl")
}
