// Package match finds a text or a pattern in texts, to the letter: what a search by
// meaning and words cannot promise.
//
// Texts are compared folded ([Folding]), so that neither the end of a line nor the way in
// which a word is written hides a place.
package match

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/lexical/analysis"
	"vademecum/internal/base/script"
)

// Folding says what counts as the same in two texts.
type Folding struct {
	// Case distinguishes what is the same otherwise: capitals and small letters, full and
	// half width, letters with accents and without, traditional and simplified Chinese, and
	// the kinds of quotation marks and dashes.
	Case bool
	// Lines keeps white space as it is. Otherwise a run of it is one space, and nothing
	// between characters that are written without spaces.
	Lines bool
	// Unbroken takes a hyphen at the end of a line for a part of its word, as in
	// "well-known". Otherwise it is one that the line end has made, as in "hyper-tension".
	Unbroken bool
}

// foldedText is a text after folding.
type foldedText struct {
	text   []byte
	broken bool // a hyphen stands at the end of a line
}

// foldedBetween is how many times what is not plain is folded between two looks at the context.
const foldedBetween = 1 << 12

// fold folds a text into f, whose room it uses, unless the context ends.
func (by Folding) fold(ctx context.Context, f *foldedText, text string) error {
	return by.locate(ctx, f, text, nil)
}

// locate folds a text again, and makes of places in the folded text, in their order, those in the
// text. Beyond the last of them it does not fold.
func (by Folding) locate(ctx context.Context, f *foldedText, text string, places []Range) error {
	w := foldWriter{Folding: by, foldedText: f, source: text, places: places, plain: by.plainByteTable()}
	f.text, f.broken = f.text[:0], false
	for n := 1; w.at < len(text) && (places == nil || w.isLocating()); n++ {
		if w.plainRun(); w.at < len(text) {
			w.foldNext()
		}
		if n%foldedBetween == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if n := len(f.text); !by.Lines && n > 0 && f.text[n-1] == ' ' {
		f.text = f.text[:n-1]
	}
	return nil
}

// foldWriter folds one text.
type foldWriter struct {
	Folding
	*foldedText
	source string
	at     int  // in the source
	before rune // the last character of it, white space left out
	plain  *[256]byte
	places []Range // see locate
	edge   int     // how many of their edges are in the source already: two of each place
}

func (w *foldWriter) isLocating() bool { return w.edge < 2*len(w.places) }

// locateEdges finds the source positions of edges in folded text from a byte on. Its first byte
// comes from the source from start to end, each further one from as much, correspondingly later.
func (w *foldWriter) locateEdges(from, start, end, behind int) {
	for ; w.isLocating(); w.edge++ {
		p := &w.places[w.edge/2]
		if w.edge%2 == 0 {
			if p.Start >= len(w.text) {
				return
			}
			p.Start = start + behind*(p.Start-from)
			continue
		}
		if p.End > len(w.text) {
			return
		}
		p.End = end + behind*(p.End-1-from)
	}
}

// The tables have what each byte becomes that is a character of its own, whatever stands
// around it but marks, and 0 for the others.
var plainBytes, plainCased, plainInLines, plainInLinesCased = makePlainByteTable(Folding{}), makePlainByteTable(Folding{Case: true}), makePlainByteTable(Folding{Lines: true}), makePlainByteTable(Folding{Case: true, Lines: true})

func makePlainByteTable(by Folding) *[256]byte {
	var table [256]byte
	for c := range byte(utf8.RuneSelf) {
		switch {
		case !by.Lines && (c == '-' || isSpaceByte(c) && c != ' '):
		case 'A' <= c && c <= 'Z' && !by.Case:
			table[c] = c | 0x20
		default:
			table[c] = c
		}
	}
	return &table
}

// plainByteTable returns the table of a Folding.
func (by Folding) plainByteTable() *[256]byte {
	switch {
	case by.Lines && by.Case:
		return plainInLinesCased
	case by.Lines:
		return plainInLines
	case by.Case:
		return plainCased
	}
	return plainBytes
}

// plainRun folds characters that are plain, with single spaces between them, as most of
// most texts are.
func (w *foldWriter) plainRun() {
	source, plain, start := w.source[w.at:], w.plain, len(w.text)
	w.text = slices.Grow(w.text, len(source))
	out := w.text[start : start+len(source)]
	n := 0
	for ; n < len(source); n++ {
		c := plain[source[n]]
		if c == 0 || c == ' ' && !w.Lines && (n == 0 || n+1 == len(source) || plain[source[n+1]] <= ' ') {
			break
		}
		out[n] = c
	}
	if n > 0 && n < len(source) && source[n] >= 0xcc && source[n-1] > ' ' { // it may have a mark
		n--
	}
	if n == 0 {
		return
	}
	w.text, w.before = w.text[:start+n], rune(source[n-1])
	w.locateEdges(start, w.at, w.at+1, 1)
	w.at += n
}

// putRune adds a character that stands for the source from a place to another.
func (w *foldWriter) putRune(r rune, start, end int) {
	before := len(w.text)
	w.text = utf8.AppendRune(w.text, r)
	w.locateEdges(before, start, end, 0)
}

// foldNext folds what stands at the place where the writer is.
func (w *foldWriter) foldNext() {
	c := w.source[w.at]
	switch {
	case !w.Lines && hyphenLength(w.source[w.at:]) > 0:
		w.foldHyphen()
	case isSpaceByte(c) && !w.Lines:
		w.foldSpace(w.at)
	default:
		w.foldNonASCII()
	}
}

func isSpaceByte(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// foldSpace folds a run of white space that begins at the place of the writer or before it.
func (w *foldWriter) foldSpace(start int) {
	for w.at < len(w.source) {
		if isSpaceByte(w.source[w.at]) {
			w.at++
			continue
		}
		r, size := utf8.DecodeRuneInString(w.source[w.at:])
		if !unicode.IsSpace(r) {
			break
		}
		w.at += size
	}
	if n := len(w.text); n == 0 || w.text[n-1] == ' ' {
		return
	}
	if next, _ := utf8.DecodeRuneInString(w.source[w.at:]); isUnspaced(w.before) && isUnspaced(next) {
		return
	}
	w.putRune(' ', start, w.at)
}

// isUnspaced reports whether a character is written without a space beside others. Korean
// has spaces between words.
func isUnspaced(r rune) bool {
	return r >= utf8.RuneSelf && (script.IsUnspaced(r) || isWidePunctuation(r)) && !unicode.Is(unicode.Hangul, r)
}

// isWidePunctuation reports whether a character is Chinese or Japanese punctuation, which
// includes its own space.
func isWidePunctuation(r rune) bool {
	return 0x3001 <= r && r <= 0x303f || 0xff00 <= r && r <= 0xff65
}

// hyphenLength is the length in bytes of a hyphen that a text begins with, 0 without one. Browsers
// divide words with the second.
func hyphenLength(text string) int {
	for _, hyphen := range []string{"-", "\u2010"} {
		if strings.HasPrefix(text, hyphen) {
			return len(hyphen)
		}
	}
	return 0
}

// foldHyphen folds one that may stand at the end of a line.
func (w *foldWriter) foldHyphen() {
	size := hyphenLength(w.source[w.at:])
	rest := strings.TrimLeft(w.source[w.at+size:], " \t\r")
	after := strings.TrimLeftFunc(rest, unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(after)
	isBreak := strings.HasPrefix(rest, "\n") && isLetter(w.before) && isLetter(first)
	if !isBreak || w.Unbroken {
		r, _ := utf8.DecodeRuneInString(w.source[w.at:])
		if !w.Case {
			r = '-'
		}
		w.putRune(r, w.at, w.at+size)
	}
	w.at += size
	w.before = '-'
	if isBreak {
		w.broken = true
		w.at = len(w.source) - len(after)
	}
}

func isLetter(r rune) bool { return unicode.IsLetter(r) && !isUnspaced(r) }

// foldNonASCII folds characters that are not plain ASCII.
func (w *foldWriter) foldNonASCII() {
	r, size := utf8.DecodeRuneInString(w.source[w.at:])
	start := w.at
	switch {
	case r == softHyphen: // it parts a word at the end of a line
		rest := strings.TrimLeftFunc(w.source[w.at+size:], unicode.IsSpace)
		w.at = len(w.source) - len(rest)
		return
	case isInvisible(r):
		w.at += size
		return
	case unicode.IsSpace(r) && !w.Lines:
		w.foldSpace(start)
		return
	}
	w.before = r
	if stands, ok := w.foldChinese(r, size); ok {
		w.at += size
		w.putRune(stands, start, w.at)
		return
	}
	w.at += max(size, norm.NFKC.NextBoundaryInString(w.source[start:], true))
	if w.Case {
		w.putExact(start)
		return
	}
	for _, r := range norm.NFKC.String(w.source[start:w.at]) {
		if !analysis.IsAccent(r) {
			w.putRune(plainMark(analysis.FoldRune(r)), start, w.at)
		}
	}
}

// foldChinese returns what a character of Chinese, or a mark between such, becomes: they are most
// of what is not ASCII, and need no look at what follows.
func (w *foldWriter) foldChinese(r rune, size int) (stands rune, ok bool) {
	switch {
	case analysis.IsHan(r) && !w.Case:
		return analysis.FoldRune(r), true
	case analysis.IsHan(r) || 0x3001 <= r && r <= 0x3020:
		return r, true
	case 0xff01 <= r && r <= 0xff0f && !w.Case: // of full width
		next, _ := utf8.DecodeRuneInString(w.source[w.at+size:])
		return r - 0xfee0, !analysis.IsAccent(next)
	}
	return r, false
}

// putExact adds what stands between a place and that of the writer as it is, but composed.
func (w *foldWriter) putExact(start int) {
	for _, r := range norm.NFC.String(w.source[start:w.at]) {
		w.putRune(r, start, w.at)
	}
}

const softHyphen = '\u00ad'

// isInvisible reports whether a character has no width and controls line breaks or the joining of
// neighbours.
func isInvisible(r rune) bool { return 0x200b <= r && r <= 0x200d || r == 0x2060 || r == 0xfeff }

// plainMark is the mark of ASCII that stands for a quotation mark or a dash, which
// programs put in its place; any other character is itself.
func plainMark(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '′':
		return '\''
	case '“', '”', '„', '‟', '″', '«', '»':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	}
	return r
}
