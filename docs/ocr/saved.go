package ocr

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vademecum/internal/message"
)

// Pages are recognised pages of a file by their numbers, from 1.
type Pages map[int]Page

// saved is a page as a line of a file has it. All pages of a document that were recognised
// in the same languages are in one file: a page is added by one write, and a line that was
// cut, as by the end of the process, is passed over.
type saved struct {
	Page       int    `json:"page"`
	Text       string `json:"text,omitempty"`
	Confidence int    `json:"confidence"`
	Why        string `json:"why,omitempty"`
	Languages  string `json:"languages,omitempty"` // none of a page that an earlier program has recognised
	Layout     []byte `json:"layout,omitempty"`    // as above
}

// Likely returns the languages in which a page is likely to be: those of the last one before it
// that has text; "" where there is none.
func (all Pages) Likely(number int) (languages string) {
	last := 0
	for before, page := range all {
		if last < before && before < number && page.Text != "" {
			last, languages = before, page.Languages
		}
	}
	return languages
}

// Known returns the pages that were recognised of a file, by the SHA-256 of its bytes, in
// the languages of the program that is open; nil while none is. It starts none: whoever
// reads a file does not wait for that.
func (r *Recogniser) Known(file [32]byte) Pages {
	if r == nil {
		return nil
	}
	p := r.program.Load()
	if p == nil {
		return nil
	}
	content, err := os.ReadFile(r.fileOf(p, file))
	if err != nil {
		return nil // none, or they are recognised again
	}
	pages := make(Pages)
	for line := range bytes.Lines(content) {
		var s saved
		if json.Unmarshal(line, &s) == nil && s.Page > 0 {
			pages[s.Page] = Page{s.Text, s.Confidence, message.Message(s.Why), s.Languages, string(s.Layout)}
		}
	}
	return pages
}

// Save keeps a page of a file, for the user alone. The program must have been opened.
func (r *Recogniser) Save(file [32]byte, number int, page Page) error {
	line, err := json.Marshal(saved{number, page.Text, page.Confidence, string(page.Why), page.Languages, []byte(page.Layout)})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.options.Dir, 0o700); err != nil {
		return fmt.Errorf("make a place for recognised pages: %w", err)
	}
	out, err := os.OpenFile(r.fileOf(r.program.Load(), file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = out.WriteString("\n" + string(line) + "\n") // after a line that was cut
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return fmt.Errorf("keep a recognised page: %w", err)
	}
	return nil
}

// fileOf is where the pages of a file are kept.
func (r *Recogniser) fileOf(p *program, file [32]byte) string {
	return filepath.Join(r.options.Dir, hex.EncodeToString(file[:])+"."+p.languages.key()+".jsonl")
}
