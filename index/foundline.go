package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/struck"
	"vademecum/docs/text"
	"vademecum/index/match"
	"vademecum/internal/base/message"
)

// FoundLine is a line with occurrences, or several lines if an occurrence spans them.
type FoundLine struct {
	text.Span `json:"-"`      // span of the whole lines
	Place     message.Message `json:"place"`
	// fragment to append to the URI of the document, after a #
	Fragment    string        `json:"fragment"`
	Text        string        `json:"text"`  // the occurrences and their context, in one line
	MatchRanges []match.Range `json:"marks"` // the occurrences in Text
	// number of occurrences that are not in Text
	MoreOccurrences int `json:"more_places,omitempty"`
	// number of occurrences, in Text or not, of which words are struck out
	StruckOccurrences int `json:"struck_out,omitempty"`
}

// StruckNote says how many of the occurrences have struck-out words; "" if none has.
func (l FoundLine) StruckNote() message.Message {
	switch all := len(l.MatchRanges) + l.MoreOccurrences; l.StruckOccurrences {
	case 0:
		return ""
	case all:
		return message.New("struck out")
	default:
		return message.New("%d of %d struck out", l.StruckOccurrences, all)
	}
}

// struckPlaces holds what is struck out in a document, and the occurrences with such words, in order.
type struckPlaces struct {
	stretches []struck.Stretch
	places    []match.Range
}

// count returns the number of the given occurrences that have struck-out words.
func (s struckPlaces) count(places []match.Range) (n int) {
	for _, p := range places {
		if _, ok := slices.BinarySearchFunc(s.places, p, func(a, b match.Range) int { return a.Start - b.Start }); ok {
			n++
		}
	}
	return n
}

// Runs splits the text of the line at its occurrences. The runs concatenated are the text.
func (l FoundLine) Runs() (runs []TextRun) {
	at := 0
	for _, m := range l.MatchRanges {
		runs = append(runs, TextRun{Text: l.Text[at:m.Start]}, TextRun{Text: l.Text[m.Start:m.End], IsQueryWord: true})
		at = m.End
	}
	return append(runs, TextRun{Text: l.Text[at:]})
}

// Context shown around the first occurrence, in characters.
const (
	shownBefore = 60
	shownAfter  = 140
)

// Number of further pieces shown of a long line that has occurrences far from the first, and the
// context of each piece, in characters.
const (
	morePieces  = 2
	shownAround = 50
)

// newFoundLine shows the occurrences that begin in the same line.
func newFoundLine(body text.Body, places []match.Range, out struckPlaces) FoundLine {
	first, last := places[0], places[len(places)-1]
	start := strings.LastIndexByte(body.Text[:first.Start], '\n') + 1
	end := last.End
	if body.Text[end-1] == '\n' {
		end--
	}
	if n := strings.IndexByte(body.Text[end:], '\n'); n >= 0 {
		end += n
	} else {
		end = len(body.Text)
	}
	l := FoundLine{Span: text.SpanOf(body.Text, start, end), StruckOccurrences: out.count(places)}
	l.Place, l.Fragment = body.Location(l.Span), body.URIFragment(l.Span)
	before, after := shownBefore, shownAfter
	at := start
	for piece := 0; len(places) > 0; piece++ {
		if piece > morePieces {
			l.MoreOccurrences = len(places)
			break
		}
		from, cutBefore := stepBack(body.Text, at, places[0].Start, before)
		to, cutAfter := stepForward(body.Text, min(places[0].End, from+longestPlace, end), end, after)
		n := 1
		for n < len(places) && places[n].Start < to {
			n++
		}
		if l.Text != "" && !cutBefore && from > at {
			l.Text += " "
		}
		l.addPiece(body.Text[from:to], from, places[:n], cutBefore, out.stretches)
		if places = places[n:]; len(places) == 0 && cutAfter {
			l.Text += " …"
		}
		before, after, at = shownAround, shownAround, to
	}
	if l.MoreOccurrences > 0 {
		l.Text += " …"
	}
	return l
}

// addPiece adds a piece of the line, with the occurrences in it, and with the marks that were cut off what
// is struck out.
func (l *FoundLine) addPiece(piece string, at int, places []match.Range, isCut bool, stretches []struck.Stretch) {
	switch {
	case l.Text != "" && isCut:
		l.Text += " … "
	case isCut:
		l.Text = "… "
	}
	open, closing := struck.MissingMarks(stretches, at, at+len(piece))
	l.Text += open
	shown, marks := collapseSpaces(piece, at, places)
	for _, m := range marks {
		l.MatchRanges = append(l.MatchRanges, match.Range{Start: m.Start + len(l.Text), End: m.End + len(l.Text)})
	}
	l.Text += shown + closing
}

// longestPlace is the maximum number of bytes shown of an occurrence.
const longestPlace = 600

// stepBack returns the position up to most characters before at, but not before start, moved to the
// beginning of a word if there is one. cut reports whether text was left out.
func stepBack(s string, start, at, most int) (from int, cut bool) {
	from = at
	for ; most > 0 && from > start; most-- {
		_, size := utf8.DecodeLastRuneInString(s[start:from])
		from -= size
	}
	if from == start {
		return from + len(s[from:at]) - len(strings.TrimLeft(s[from:at], " \t")), false
	}
	// without a space nearby, the text begins inside a word
	if n := strings.IndexByte(s[from:at], ' '); n >= 0 && n < (at-from)/2 {
		from += n + 1
	}
	return from, true
}

// stepForward is the counterpart of stepBack in the other direction.
func stepForward(s string, at, end, most int) (to int, cut bool) {
	for at < end && !utf8.RuneStart(s[at]) {
		at++
	}
	to = at
	for ; most > 0 && to < end; most-- {
		_, size := utf8.DecodeRuneInString(s[to:end])
		to += size
	}
	if to == end {
		return at + len(strings.TrimRight(s[at:to], " \t")), false
	}
	if n := strings.LastIndexByte(s[at:to], ' '); n > (to-at)/2 {
		to = at + n
	}
	return to, true
}

// collapseSpaces returns the text with single spaces, and the positions of the occurrences in it.
func collapseSpaces(s string, at int, places []match.Range) (line string, marks []match.Range) {
	var out strings.Builder
	next := 0
	mark := func(i int) { // called when the end of out corresponds to i in s
		for ; next < len(places) && places[next].Start-at <= i; next++ {
			marks = append(marks, match.Range{Start: out.Len(), End: -1})
		}
		for m := range marks {
			if marks[m].End < 0 && places[m].End-at <= i {
				marks[m].End = out.Len()
			}
		}
	}
	space := false
	for i, r := range s {
		if r == '\n' || r == '\t' || r == ' ' {
			if !space {
				mark(i)
				out.WriteByte(' ')
			}
			space = true
			continue
		}
		space = false
		mark(i)
		out.WriteRune(r)
	}
	for m := range marks {
		if marks[m].End < 0 {
			marks[m].End = out.Len()
		}
	}
	return out.String(), marks
}

// Highlighted returns the text with the mark open before and the mark end after each occurrence.
func (l FoundLine) Highlighted(open, end string) string {
	var out strings.Builder
	at := 0
	for _, m := range l.MatchRanges {
		out.WriteString(l.Text[at:m.Start] + open + l.Text[m.Start:m.End] + end)
		at = m.End
	}
	return out.String() + l.Text[at:]
}
