package ocr

import (
	"context"
	"errors"
	"strings"

	"vademecum/docs/extract/layout"
	"vademecum/internal/script"
)

// How sure the program is, in percent.
const (
	sureEnough = 90 // few pages have mistakes that another language mends
	sureOfText = 80 // a page without its noise has no more of them than with it
)

// reading is what the program has read on a page at once.
type reading struct {
	Page
	words []word
}

// read has the program read a page, a noisy one without the noise: on that it spends minutes, in
// vain. Where it is unsure then, it reads the page as it is, too. See Recognise for likely.
func (p *program) read(ctx context.Context, png []byte, likely string) (Page, error) {
	turn, _ := layout.OfPNG(png) // of a page that tells none, words have no places
	clear, isNoisy := denoised(png)
	if !isNoisy {
		r, err := p.readInItsLanguage(ctx, png, likely, turn)
		return r.Page, err
	}
	r, err := p.readInItsLanguage(ctx, clear, likely, turn)
	if err != nil || r.Confidence >= sureOfText {
		return r.Page, err
	}
	noisy, err := p.readIn(ctx, png, r.Languages, turn)
	r, err = better(r, noisy, err)
	return r.Page, err
}

// readInItsLanguage reads a page in the languages that are likely, or else those of its script,
// and in others as long as these promise more.
func (p *program) readInItsLanguage(ctx context.Context, png []byte, likely string, turn layout.Turn) (reading, error) {
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

// readIn has the program read a page once.
func (p *program) readIn(ctx context.Context, png []byte, languages string, turn layout.Turn) (reading, error) {
	words, err := p.table(ctx, png, languages, pageLimit)
	r := reading{pageOf(words, turn), words}
	r.Languages = languages
	return r, err
}

// better returns the better one of two readings: the one before where the program failed of the
// other. The error is ErrStarved.
func better(before, other reading, err error) (reading, error) {
	switch {
	case errors.Is(err, ErrStarved):
		return before, err
	case err == nil && other.isBetter(before):
		return other, nil
	}
	return before, nil
}

// Differences of confidence, in percent.
const (
	flattery = 5 // of several languages, the program takes for each word the one that it is surest of
	guess    = 4 // of languages that look alike, the one that the page was taken for is right as a rule
)

// isBetter tells whether the program is surer of a reading than of another.
func (r reading) isBetter(than reading) bool {
	margin := 0
	switch {
	case alike[than.Languages] == r.Languages:
		margin = guess
	case r.Languages != than.Languages && hasData(than.Languages, r.Languages):
		margin = -flattery
	}
	return r.Confidence > than.Confidence+margin
}

// language returns the code of the language of a page, as far as its words show; "" otherwise.
func (r reading) language() string { return script.LanguageOf(r.raw()).Code() }

// raw is the text of all words, also of those that are unsure.
func (r reading) raw() string {
	var text strings.Builder
	for _, w := range r.words {
		text.WriteString(w.text)
		text.WriteByte(' ')
	}
	return text.String()
}

// isWide tells whether most signs of a page are Chinese or Japanese.
func (r reading) isWide() bool {
	wide, all := 0, 0
	for _, c := range r.raw() {
		switch {
		case script.IsWide(c):
			wide++
			all++
		case c != ' ':
			all++
		}
	}
	return 2*wide > all
}
