// Package match finds literal texts and patterns in texts, which a search by meaning and words
// cannot guarantee.
//
// Texts are compared after folding, so that line breaks and variant spellings do not
// hide matches.
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

// folding defines which texts are treated as equal.
type folding struct {
	// keepsVariants distinguishes variants that are otherwise equal: upper and lower case, full and half
	// width, letters with and without accents, traditional and simplified Chinese, and the kinds of
	// quotation marks and dashes.
	keepsVariants bool
	// keepsWhiteSpace leaves white space unchanged. Otherwise a run of white space is folded to one
	// space, or to nothing between characters that are written without spaces.
	keepsWhiteSpace bool
	// keepsLineEndHyphens treats a hyphen at the end of a line as a part of its word, as in
	// "well-known". Otherwise it is removed as hyphenation, as in "hyper-tension".
	keepsLineEndHyphens bool
	// foldsSharpSToOne folds ß to one s, as classes and dots of a pattern match one character. Otherwise
	// it is folded to ss, its form in capitals.
	foldsSharpSToOne bool
}

// foldedText is a text in the form in which it is compared: with variants, white space and hyphens as its
// folding defines.
type foldedText struct {
	text   []byte
	broken bool // whether the original has a hyphen at the end of a line
}

// foldedBetween is the number of characters that are not plain folded between checks of the
// context.
const foldedBetween = 1 << 12

// fold folds a text into f, reusing its buffer. It stops with an error if ctx ends.
func (by folding) fold(ctx context.Context, f *foldedText, text string) error {
	return by.locate(ctx, f, text, nil)
}

// locate folds a text again, and converts places from ranges in the folded text, in order, to
// ranges in the original text. It stops folding after the last place.
func (by folding) locate(ctx context.Context, f *foldedText, text string, places []Range) error {
	w := foldWriter{folding: by, foldedText: f, source: text, places: places, plain: by.plainByteTable()}
	f.text, f.broken = f.text[:0], false
	for n := 1; w.at < len(text) && (places == nil || w.isLocating()); n++ {
		if w.plainRun(); w.at < len(text) {
			w.foldNext()
		}
		if n%foldedBetween == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if n := len(f.text); !by.keepsWhiteSpace && n > 0 && f.text[n-1] == ' ' {
		f.text = f.text[:n-1]
	}
	return nil
}

// foldWriter writes the folded form of one text, and converts ranges in it to ranges in the
// original text.
type foldWriter struct {
	folding
	*foldedText
	source string
	at     int  // position in source
	before rune // the preceding character of source, ignoring white space
	plain  *[256]byte
	places []Range // ranges in the folded text to convert, see locate
	edge   int     // number of edges already converted, two per place
}

func (w *foldWriter) isLocating() bool { return w.edge < 2*len(w.places) }

// locateEdges converts those edges of places that lie in the latest part of the folded text, which
// begins at the offset from. Its first byte was folded from source[start:end], and each further byte
// from a range that begins and ends step bytes later: 1 if each byte was folded on its own, 0 if all
// were folded from the same range.
func (w *foldWriter) locateEdges(from, start, end, step int) {
	for ; w.isLocating(); w.edge++ {
		p := &w.places[w.edge/2]
		if w.edge%2 == 0 {
			if p.Start >= len(w.text) {
				return
			}
			p.Start = start + step*(p.Start-from)
			continue
		}
		if p.End > len(w.text) {
			return
		}
		p.End = end + step*(p.End-1-from)
	}
}

// The tables contain the folded form of each byte that is a complete character and does not depend
// on the characters around it, except for combining marks. Other bytes have 0.
var plainBytes, plainCased, plainInLines, plainInLinesCased = makePlainByteTable(folding{}), makePlainByteTable(folding{keepsVariants: true}), makePlainByteTable(folding{keepsWhiteSpace: true}), makePlainByteTable(folding{keepsVariants: true, keepsWhiteSpace: true})

func makePlainByteTable(by folding) *[256]byte {
	var table [256]byte
	for c := range byte(utf8.RuneSelf) {
		switch {
		case !by.keepsWhiteSpace && (c == '-' || isSpaceByte(c) && c != ' '):
		case 'A' <= c && c <= 'Z' && !by.keepsVariants:
			table[c] = c | 0x20
		default:
			table[c] = c
		}
	}
	return &table
}

// plainByteTable returns the table of a folding.
func (by folding) plainByteTable() *[256]byte {
	switch {
	case by.keepsWhiteSpace && by.keepsVariants:
		return plainInLinesCased
	case by.keepsWhiteSpace:
		return plainInLines
	case by.keepsVariants:
		return plainCased
	}
	return plainBytes
}

// plainRun folds plain characters with single spaces between them, which make up most of most
// texts.
func (w *foldWriter) plainRun() {
	source, plain, start := w.source[w.at:], w.plain, len(w.text)
	w.text = slices.Grow(w.text, len(source))
	out := w.text[start : start+len(source)]
	n := 0
	for ; n < len(source); n++ {
		c := plain[source[n]]
		if c == 0 || c == ' ' && !w.keepsWhiteSpace && (n == 0 || n+1 == len(source) || plain[source[n+1]] <= ' ') {
			break
		}
		out[n] = c
	}
	if n > 0 && n < len(source) && source[n] >= 0xcc && source[n-1] > ' ' { // a combining mark may follow
		n--
	}
	if n == 0 {
		return
	}
	w.text, w.before = w.text[:start+n], rune(source[n-1])
	w.locateEdges(start, w.at, w.at+1, 1)
	w.at += n
}

// putRune appends a character that represents source[start:end].
func (w *foldWriter) putRune(r rune, start, end int) {
	before := len(w.text)
	w.text = utf8.AppendRune(w.text, r)
	w.locateEdges(before, start, end, 0)
}

// foldNext folds the text at the current position, which is not plain.
func (w *foldWriter) foldNext() {
	c := w.source[w.at]
	switch {
	case !w.keepsWhiteSpace && hyphenLength(w.source[w.at:]) > 0:
		w.foldHyphen()
	case isSpaceByte(c) && !w.keepsWhiteSpace:
		w.foldSpace(w.at)
	default:
		w.foldNonASCII()
	}
}

func isSpaceByte(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// foldSpace folds a run of white space that begins at start, which is at most the current position.
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

// isUnspaced reports whether a character is written without spaces beside it. Korean is excluded,
// because it has spaces between words.
func isUnspaced(r rune) bool {
	return r >= utf8.RuneSelf && (script.IsUnspaced(r) || isWidePunctuation(r)) && !unicode.Is(unicode.Hangul, r)
}

// isWidePunctuation reports whether a character is Chinese or Japanese punctuation, which includes
// its own space.
func isWidePunctuation(r rune) bool {
	return 0x3001 <= r && r <= 0x303f || 0xff00 <= r && r <= 0xff65
}

// hyphenLength returns the length in bytes of a hyphen at the beginning of a text, or 0 if there is
// none. Browsers hyphenate with U+2010.
func hyphenLength(text string) int {
	for _, hyphen := range []string{"-", "\u2010"} {
		if strings.HasPrefix(text, hyphen) {
			return len(hyphen)
		}
	}
	return 0
}

// foldHyphen folds a hyphen, which may be at the end of a line.
func (w *foldWriter) foldHyphen() {
	size := hyphenLength(w.source[w.at:])
	rest := strings.TrimLeft(w.source[w.at+size:], " \t\r")
	after := strings.TrimLeftFunc(rest, unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(after)
	isBreak := strings.HasPrefix(rest, "\n") && isLetter(w.before) && isLetter(first)
	if !isBreak || w.keepsLineEndHyphens {
		r, _ := utf8.DecodeRuneInString(w.source[w.at:])
		if !w.keepsVariants {
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
	case r == softHyphen: // marks hyphenation at the end of a line
		rest := strings.TrimLeftFunc(w.source[w.at+size:], unicode.IsSpace)
		w.at = len(w.source) - len(rest)
		return
	case isInvisible(r):
		w.at += size
		return
	case unicode.IsSpace(r) && !w.keepsWhiteSpace:
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
	if w.keepsVariants {
		w.putExact(start)
		return
	}
	for _, r := range norm.NFKC.String(w.source[start:w.at]) {
		switch {
		case isSharpS(r) && !w.foldsSharpSToOne:
			w.putRune('s', start, w.at)
			w.putRune('s', start, w.at)
		case !analysis.IsAccent(r):
			w.putRune(plainMark(analysis.FoldRune(r)), start, w.at)
		}
	}
}

// isSharpS reports whether a character is the German ß, whose usual capital form is SS.
func isSharpS(r rune) bool { return r == 'ß' || r == 'ẞ' }

// foldChinese returns the folded form of a Chinese character or punctuation mark. These are most of
// the characters outside ASCII, and do not depend on what follows.
func (w *foldWriter) foldChinese(r rune, size int) (stands rune, ok bool) {
	switch {
	case script.IsUnifiedHan(r) && !w.keepsVariants:
		return analysis.FoldRune(r), true
	case script.IsUnifiedHan(r) || 0x3001 <= r && r <= 0x3020:
		return r, true
	case 0xff01 <= r && r <= 0xff0f && !w.keepsVariants: // full width
		next, _ := utf8.DecodeRuneInString(w.source[w.at+size:])
		return r - 0xfee0, !analysis.IsAccent(next)
	}
	return r, false
}

// putExact appends the source from start to the current position in composed form.
func (w *foldWriter) putExact(start int) {
	for _, r := range norm.NFC.String(w.source[start:w.at]) {
		w.putRune(r, start, w.at)
	}
}

const softHyphen = '\u00ad'

// isInvisible reports whether a character has no width and controls line breaks or the joining of
// neighbouring characters.
func isInvisible(r rune) bool { return 0x200b <= r && r <= 0x200d || r == 0x2060 || r == 0xfeff }

// plainMark returns the ASCII mark for a quotation mark or dash that programs insert instead of it.
// It returns other characters unchanged.
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
