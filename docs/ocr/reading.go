package ocr

import (
	"context"
	"strings"

	"vademecum/docs/extract/layout"
	"vademecum/internal/base/script"
)

// Confidence thresholds of readings, in percent.
const (
	confidentReading  = 90 // above it, few pages have errors that another language would correct
	confidentDenoised = 80 // above it, a denoised page has no more errors than the original
)

// reading is the result of running the program once on a page.
type reading struct {
	Page
	words []word
}

// read has the program read a page. A noisy page is denoised first, since noise takes the program
// minutes and yields nothing. If the confidence is then low, the original is read, too. For likely
// see Recognise.
func (p *program) read(ctx context.Context, png []byte, likely string) (Page, error) {
	turn, _ := layout.RotationOfPNG(png) // without it, words have no positions
	clear, isNoisy := denoised(png)
	if !isNoisy {
		r, err := p.readInItsLanguage(ctx, png, likely, turn)
		return r.Page, err
	}
	r, err := p.readInItsLanguage(ctx, clear, likely, turn)
	if err != nil || r.ConfidencePercent >= confidentDenoised {
		return r.Page, err
	}
	noisy, err := p.readIn(ctx, png, r.Languages, turn)
	r, err = better(r, noisy, err)
	return r.Page, err
}

// readInItsLanguage reads a page in its likely languages, or else in those of its script, and then
// in other languages as long as languages.next returns one to try.
func (p *program) readInItsLanguage(ctx context.Context, png []byte, likely string, turn layout.Rotation) (reading, error) {
	first := likely
	if first == "" {
		seen, err := p.script(ctx, png)
		if err != nil {
			return reading{}, err
		}
		first = p.languages.forScript(seen)
	}
	best, err := p.readIn(ctx, png, first, turn)
	for tried := []string{first}; err == nil; {
		next := p.languages.next(best, likely, tried)
		if next == "" {
			break
		}
		tried = append(tried, next)
		other, failed := p.readIn(ctx, png, next, turn)
		best, err = better(best, other, failed)
	}
	return best, err
}

// readIn has the program read a page once, in the given languages.
func (p *program) readIn(ctx context.Context, png []byte, languages string, turn layout.Rotation) (reading, error) {
	words, err := p.table(ctx, png, languages, pageLimit)
	r := reading{pageOf(words, turn), words}
	r.Languages = languages
	return r, err
}

// better returns the better of two readings, or the earlier one if the program failed in the other.
// It returns only transient errors.
func better(before, other reading, err error) (reading, error) {
	switch {
	case IsTransient(err):
		return before, err
	case err == nil && other.isBetter(before):
		return other, nil
	}
	return before, nil
}

// Margins, in percent, for comparing the confidence of readings in different languages.
const (
	mixedLanguagesMargin = 5 // a reading in several languages has a higher confidence: the best of each word
	confusableMargin     = 4 // if the languages are confusable, the first reading is usually right
)

// isBetter reports whether the program is more confident of r than of other, allowing for a margin.
func (r reading) isBetter(other reading) bool {
	margin := 0
	switch {
	case confusableLanguages[other.Languages] == r.Languages:
		margin = confusableMargin
	case r.Languages != other.Languages && hasData(other.Languages, r.Languages):
		margin = -mixedLanguagesMargin
	}
	return r.ConfidencePercent > other.ConfidencePercent+margin
}

// allText returns the text of all words, including those of which the program is unsure.
func (r reading) allText() string {
	var text strings.Builder
	for _, w := range r.words {
		text.WriteString(w.text)
		text.WriteByte(' ')
	}
	return text.String()
}

// isMostlyCJK reports whether most characters of a page are Chinese or Japanese.
func (r reading) isMostlyCJK() bool {
	wide, all := 0, 0
	for _, c := range r.allText() {
		switch {
		case script.IsEastAsian(c):
			wide++
			all++
		case c != ' ':
			all++
		}
	}
	return 2*wide > all
}
