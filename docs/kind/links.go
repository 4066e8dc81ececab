package kind

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

// linkStats are the links of a passage, and how much of its text is in them.
type linkStats struct {
	count  int
	inside int      // size of the link texts, in words; see wordCountOf
	beside int      // size of the other text
	named  []string // texts of the links and code spans
}

// addressSize is the size of a bare URL, however long it is.
const addressSize = 6

func linkStatsOf(text string) linkStats {
	var l linkStats
	from := frontMatterEnd(text) // links in front matter are values of its fields
	for at := from; at < len(text); {
		if !opensSpan[text[at]] {
			at++
			continue
		}
		s, ok := linkSpanAt(text, at)
		if !ok {
			at++
			continue
		}
		l.beside += wordCountOf(text[from:at])
		l.add(s)
		at += s.length
		from = at
	}
	l.beside += wordCountOf(text[from:])
	return l
}

func (l *linkStats) add(s linkSpan) {
	switch s.kind {
	case code:
		l.beside += wordCountOf(s.shown)
		l.named = append(l.named, s.shown)
	case address:
		l.count++
		l.inside += addressSize
	case reference:
		l.count++
		l.inside += wordCountOf(s.shown)
		l.named = append(l.named, s.shown)
	}
}

// frontMatterEnd returns the end of the front matter at the start of a text, or 0 if there is none.
func frontMatterEnd(text string) int {
	const border = "---\n"
	if !strings.HasPrefix(text, border) {
		return 0
	}
	end := strings.Index(text[len(border):], "\n---")
	if end < 0 {
		return 0
	}
	return len(border) + end + len(border)
}

// wordCountOf returns the approximate number of words in a text. A character of a script without
// spaces counts as half a word.
func wordCountOf(text string) int {
	words, wide := 0, 0
	inWord := false
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf && ('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'): // most characters
			if !inWord {
				words++
			}
			inWord = true
		case script.IsUnspaced(r):
			wide++
			inWord = false
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			if !inWord {
				words++
			}
			inWord = true
		default:
			inWord = inWord && (r == '\'' || r == '-' || r == '_')
		}
	}
	return words + (wide+1)/2
}

// leastLinks is the minimum number of links in a list of links.
const leastLinks = 3

// areMostText reports whether there are enough links for a list, and more than half of the text is
// in them.
func (l linkStats) areMostText() bool { return l.count >= leastLinks && l.inside > l.beside }

// pointerSize is the maximum length in words of a document that only points elsewhere: an alias in
// a manual in 35 languages has 10 to 20, apart from the name.
const pointerSize = 24

// isPointerPage recognises a short document whose links and code spans all name the same thing,
// which is not itself. If that is mentioned twice, or with a word such as "see", the document
// points to it.
func (l linkStats) isPointerPage(p Passage) bool {
	if len(l.named) == 0 || l.inside+l.beside > pointerSize || strings.Contains(p.Text, "```") {
		return false
	}
	least := l.named[0]
	for _, n := range l.named {
		if utf8.RuneCountInString(n) < utf8.RuneCountInString(least) {
			least = n
		}
	}
	for _, n := range l.named {
		if n != least && !strings.HasSuffix(n, " "+least) {
			return false
		}
	}
	if least == "" || titleContainsName(p, least) {
		return false
	}
	return len(l.named) > 1 || pointing.MatchString(p.Text)
}

// titleContainsName reports whether the headings above a passage, or the name of its file without
// extension, are equal to the name, ignoring case: the page is then about the name itself.
func titleContainsName(p Passage, name string) bool {
	name = strings.ToLower(name)
	title := strings.ToLower(strings.Join(p.Heading, " "))
	base := strings.ToLower(p.Path[strings.LastIndexByte(p.Path, '/')+1:])
	stem, _, _ := strings.Cut(base, ".")
	return title == name || stem == name
}

// pointing matches words and phrases that refer the reader elsewhere.
var pointing = lazyregexp.New(`(?i)\b(?:see|alias|redirects?|moved to|renamed to|siehe|voir|véase|vedi|zie)\b|参见|参看|详见|请见|见：|別名|别名|移至|移到`)

// forwardingSize is the maximum length in words of a page that only says where another page is now:
// one that lists four editions of a book has 60.
const forwardingSize = 90

// isForwardingPage recognises a page that replaces one that has moved.
func (l linkStats) isForwardingPage(text string) bool {
	return l.count > 0 && l.inside+l.beside <= forwardingSize && moved.MatchString(text)
}

// moved matches the text of a forwarding page.
var moved = lazyregexp.New(`(?i)\b(?:no longer (?:distributed|maintained|available|lives?|exists?)|(?:has|have|was) (?:been )?(?:re)?moved|moved to|superseded by|is now (?:at|in|part of))\b|已移至|已迁移|已搬到|移動しました`)
