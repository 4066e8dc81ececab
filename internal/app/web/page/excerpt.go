package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/struck"
	"vademecum/index"
)

// excerpt is the part of a passage that is shown first: its best line and what follows or, if no
// line is best, the part with the most words of the question.
type excerpt struct {
	Runs            []index.TextRun
	IsCut           bool // the excerpt is not the whole passage
	Before, Further bool // the first or last line of the excerpt is cut
}

// Size of an excerpt, in columns; a wide character takes two. The style sheet allows for this size.
const (
	longestExcerpt = 420 // four lines on a wide screen
	shortExcerpt   = 200 // a passage up to this length is shown whole
	shortLines     = 2
	mostLines      = 6
	mostBefore     = 70 // columns before the first highlighted word, so that it is visible on a narrow screen, too
)

// excerptOf returns an excerpt of the plain text of a passage; best is the best line of it, or "".
func excerptOf(text, best string, words index.HighlightWords) excerpt {
	runs := words.SplitText(text)
	if columns(text) <= shortExcerpt && strings.Count(text, "\n") < shortLines {
		return excerpt{Runs: runs}
	}
	stretches := struck.Find(text)
	at := bestHit(runs, func(offset int) bool { _, isStruck := struck.At(stretches, offset); return isStruck })
	best, _, _ = strings.Cut(strings.TrimSpace(best), "\n")
	if i := strings.Index(text, best); best != "" && i >= 0 {
		at = firstHit(runs, i, i+len(best))
	}
	from := startOfExcerpt(text, at)
	to := endOfExcerpt(text, from)
	shown := between(runs, from, to)
	if open, closing := struck.MissingMarks(stretches, from, to); open+closing != "" {
		shown = slices.Concat([]index.TextRun{{Text: open}}, shown, []index.TextRun{{Text: closing}})
	}
	return excerpt{
		Runs: shown, IsCut: true,
		Before: from > 0 && text[from-1] != '\n', Further: to < len(text) && text[to] != '\n',
	}
}

// columns returns the width of a text in columns, of which a wide character takes two.
func columns(text string) (n int) {
	for _, c := range text {
		n += width(c)
	}
	return n
}

func width(c rune) int {
	if isWide(c) {
		return 2
	}
	return 1
}

// found is a highlighted word in a passage: at is its start in bytes, column its start in columns.
type found struct {
	word       string
	at, column int
}

// bestHit returns the start of the densest group of highlighted words: that with the most distinct
// words, and among those the one with the most words. It is 0 if there are none. Struck-out words count only if
// there are no others.
func bestHit(runs []index.TextRun, isStruck func(offset int) bool) (at int) {
	var hits, struckHits []found
	bytes, column := 0, 0
	for _, r := range runs {
		if r.IsQueryWord || r.IsRelatedWord {
			if hit := (found{strings.ToLower(r.Text), bytes, column}); isStruck(bytes) {
				struckHits = append(struckHits, hit)
			} else {
				hits = append(hits, hit)
			}
		}
		bytes += len(r.Text)
		column += columns(r.Text)
	}
	if len(hits) == 0 {
		hits = struckHits
	}
	most := 0
	for i, first := range hits {
		seen, near := make(map[string]bool), 0
		for _, h := range hits[i:] {
			if h.column-first.column > longestExcerpt-mostBefore {
				break
			}
			seen[h.word] = true
			near++
		}
		if n := 100*len(seen) + min(near, 99); n > most {
			most, at = n, first.at
		}
	}
	return at
}

// firstHit returns the start of the first highlighted word in a range of bytes, or that of the
// range if there is none.
func firstHit(runs []index.TextRun, from, to int) int {
	at := 0
	for _, r := range runs {
		if from <= at && at < to && (r.IsQueryWord || r.IsRelatedWord) {
			return at
		}
		at += len(r.Text)
	}
	return from
}

// startOfExcerpt returns the start of the line that contains an offset or, if that is too far
// before it, the start of the sentence, or else of a word before it.
func startOfExcerpt(text string, at int) int {
	line := strings.LastIndexByte(text[:at], '\n') + 1
	earliest, room := at, mostBefore
	for earliest > line {
		c, size := utf8.DecodeLastRuneInString(text[:earliest])
		if room -= width(c); room < 0 {
			break
		}
		earliest -= size
	}
	if earliest == line {
		return line
	}
	before := text[earliest:at]
	for _, end := range []string{"。", "；", "！", "？", ". ", "; ", "? ", "! ", "，", ", ", " "} {
		if i := strings.Index(before, end); i >= 0 {
			return earliest + i + len(end)
		}
	}
	return earliest
}

// endOfExcerpt returns the end of an excerpt, if possible at the end of a word.
func endOfExcerpt(text string, from int) int {
	room, lines := longestExcerpt, mostLines
	for i, c := range text[from:] {
		if c == '\n' {
			if lines--; lines == 0 {
				return from + i
			}
		}
		if room -= width(c); room >= 0 {
			continue
		}
		if space := strings.LastIndexAny(text[from:from+i], " \n"); space > i/2 {
			return from + space
		}
		return from + i
	}
	return len(text)
}

// between returns the runs for a part of a text, given those for the whole.
func between(runs []index.TextRun, from, to int) (part []index.TextRun) {
	at := 0
	for _, r := range runs {
		begin, end := max(from-at, 0), min(to-at, len(r.Text))
		if begin < end {
			r.Text, at = r.Text[begin:end], at+len(r.Text)
			part = append(part, r)
			continue
		}
		at += len(r.Text)
	}
	return slices.Clip(part)
}
