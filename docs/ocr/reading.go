package ocr

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"vademecum/docs/extract/layout"
	"vademecum/internal/script"
)

// sureEnough is the confidence in percent from which a page is not read again: few others have
// mistakes that a clearer picture, or another language, mends.
const sureEnough = 90

// reading is what the program has read on a page at once.
type reading struct {
	Page
	words []word
}

// read has the program read a page in its language, and a noisy one of which it is unsure again
// without the noise. What it is surest of counts. See Recognise for likely.
func (p *program) read(ctx context.Context, png []byte, likely string) (Page, error) {
	best, err := p.readInItsLanguage(ctx, png, likely)
	if err != nil || best.Confidence >= sureEnough {
		return best.Page, err
	}
	clear, ok := denoised(png)
	if !ok {
		return best.Page, nil
	}
	turn, _ := layout.OfPNG(png)
	again, err := p.readIn(ctx, clear, best.mainLanguages(), turn)
	again.Languages = best.Languages // the next page may have words of those that are left out
	best, err = surer(best, again, err)
	return best.Page, err
}

// readInItsLanguage reads a page in the languages that are likely, and in others as long as
// these promise more.
func (p *program) readInItsLanguage(ctx context.Context, png []byte, likely string) (reading, error) {
	turn, _ := layout.OfPNG(png) // of a page that tells none, words have no places
	best, err := p.readIn(ctx, png, cmp.Or(likely, p.languages.first), turn)
	if err != nil {
		return best, err
	}
	seen := sync.OnceValues(func() (string, error) { return p.script(ctx, png) })
	for tried := []string{best.Languages}; ; {
		next, err := p.languages.next(best, likely, tried, seen)
		if err != nil || next == "" {
			return best, err
		}
		tried = append(tried, next)
		other, err := p.readIn(ctx, png, next, turn)
		if best, err = surer(best, other, err); err != nil {
			return best, err
		}
	}
}

// readIn has the program read a page once.
func (p *program) readIn(ctx context.Context, png []byte, languages string, turn layout.Turn) (reading, error) {
	words, err := p.table(ctx, png, languages, pageLimit)
	r := reading{pageOf(words, turn), words}
	r.Languages = languages
	return r, err
}

// surer returns the one of two readings that the program is surer of: the one before where it
// failed of the other. The error is ErrStarved.
func surer(before, other reading, err error) (reading, error) {
	switch {
	case errors.Is(err, ErrStarved):
		return before, err
	case err == nil && other.Confidence > before.Confidence:
		return other, nil
	}
	return before, nil
}

// language returns the code of the language of a page, as far as its words show; "" otherwise.
func (r reading) language() string {
	var text strings.Builder
	for _, w := range r.words {
		text.WriteString(w.text)
		text.WriteByte(' ')
	}
	return script.LanguageOf(text.String()).Code()
}

// mainLanguages returns the languages for what is written most on a page: where most signs are
// Chinese or Japanese, only languages that are written so, whose data have Latin letters, too.
// With others beside them, many characters are taken for strange words.
func (r reading) mainLanguages() string {
	wide, all := 0, 0
	for _, w := range r.words {
		for _, c := range w.text {
			all++
			if script.IsWide(c) {
				wide++
			}
		}
	}
	eastern := slices.DeleteFunc(strings.Split(r.Languages, "+"), func(name string) bool {
		return !strings.HasPrefix(name, "chi_") && !strings.HasPrefix(name, "jpn")
	})
	if 2*wide <= all || len(eastern) == 0 {
		return r.Languages
	}
	return strings.Join(eastern, "+")
}
