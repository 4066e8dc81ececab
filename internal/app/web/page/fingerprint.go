package page

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/app/web/render"
)

// fingerprint identifies the text of a passage in a link, as line numbers change when lines are inserted
// above it. White space is ignored, and so are tildes: a passage that begins within struck-out text has
// a mark that the document has elsewhere. The zero value stands for no text.
type fingerprint struct {
	length int    // characters
	hash   uint64 // of the characters
}

// The hash of a fingerprint is computed from a rolling polynomial: a character at the front can be
// removed when another one is added at the end.
const (
	hashBase   = 0x9e3779b97f4a7c15
	hashDigits = 10 // number of hexadecimal digits in a link
)

// spread turns the polynomial into the hash, so that all bits of the polynomial affect the digits
// in a link.
func spread(polynomial uint64) uint64 {
	polynomial ^= polynomial >> 32
	polynomial *= hashBase
	return polynomial >> (64 - 4*hashDigits)
}

// fingerprintOf returns the fingerprint of a text.
func fingerprintOf(text string) (f fingerprint) {
	for _, c := range text {
		if !isIgnored(c) {
			f.length++
			f.hash = f.hash*hashBase + uint64(c)
		}
	}
	if f.hash = spread(f.hash); f.length == 0 {
		return fingerprint{}
	}
	return f
}

// isIgnored reports whether a character does not count in a fingerprint.
func isIgnored(c rune) bool { return c == '~' || unicode.IsSpace(c) }

// find returns the part of a text that has the fingerprint; if several have, the one nearest to the
// offset near.
func (f fingerprint) find(text string, near int) (part render.Range, ok bool) {
	if f.length > len(text) {
		return part, false
	}
	first := uint64(1) // factor of the first character of a part
	for range f.length - 1 {
		first *= hashBase
	}
	from, length, polynomial := 0, 0, uint64(0)
	for at, c := range text {
		if isIgnored(c) {
			continue
		}
		if length++; length > f.length {
			oldest, size := utf8.DecodeRuneInString(text[from:])
			polynomial -= uint64(oldest) * first
			from += size
		}
		from += len(text[from:]) - len(strings.TrimLeftFunc(text[from:], isIgnored))
		polynomial = polynomial*hashBase + uint64(c)
		if length < f.length || spread(polynomial) != f.hash {
			continue
		}
		if ok && from-near >= near-part.From {
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		if part, ok = (render.Range{From: from, To: at + size}), true; from >= near {
			break
		}
	}
	return part, ok
}

// withFingerprint returns the fragment of a passage for a link, with the fingerprint of the
// passage's text added. A fragment that names a page stays as it is, as the extracted text of a
// page may change with the version of the program.
func withFingerprint(fragment, text string) string {
	f := fingerprintOf(text)
	if fragment == "" || f.length == 0 || strings.HasPrefix(fragment, "page=") {
		return fragment
	}
	return fragment + f.String()
}

// String returns the fingerprint as it is written in a URL.
func (f fingerprint) String() string {
	return fmt.Sprintf("~%x.%0*x", f.length, hashDigits, f.hash)
}

// cutFingerprint splits off the fingerprint, if there is one, from a fragment.
func cutFingerprint(at string) (fragment string, f fingerprint) {
	i := strings.LastIndexByte(at, '~')
	if i < 0 {
		return at, fingerprint{}
	}
	length, hash, _ := strings.Cut(at[i+1:], ".")
	n, wrong := strconv.ParseUint(length, 16, 31)
	h, alsoWrong := strconv.ParseUint(hash, 16, 4*hashDigits)
	if wrong != nil || alsoWrong != nil || n == 0 || len(hash) != hashDigits {
		return at, fingerprint{}
	}
	return at[:i], fingerprint{int(n), h}
}
