package index

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/text"
	"vademecum/index/match"
	"vademecum/internal/base/message"
)

// FoundLine is a line with places, or several that one place goes over.
type FoundLine struct {
	text.Span `json:"-"`      // of the lines as a whole
	Place     message.Message `json:"place"`
	Fragment  string          `json:"fragment"` // behind the URI of the document, and #
	Text      string          `json:"text"`     // the places and what stands around them, in one line
	Marks     []match.Range   `json:"marks"`    // the places in Text
	More      int             `json:"more_places,omitempty"`
}

// Around the first place is shown, in characters:
const (
	shownBefore = 60
	shownAfter  = 140
)

// Of a long line that has places which do not stand near the first, so many more pieces are
// shown, with so much around each.
const (
	morePieces  = 2
	shownAround = 50
)

// newFoundLine shows places that begin in one line.
func newFoundLine(body text.Body, places []match.Range) FoundLine {
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
	l := FoundLine{Span: text.SpanOf(body.Text, start, end)}
	l.Place, l.Fragment = body.Location(l.Span), body.Fragment(l.Span)
	before, after := shownBefore, shownAfter
	at := start
	for piece := 0; len(places) > 0; piece++ {
		if piece > morePieces {
			l.More = len(places)
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
		l.addPiece(body.Text[from:to], from, places[:n], cutBefore)
		if places = places[n:]; len(places) == 0 && cutAfter {
			l.Text += " …"
		}
		before, after, at = shownAround, shownAround, to
	}
	if l.More > 0 {
		l.Text += " …"
	}
	return l
}

// addPiece adds a piece of the line, with the places that are in it.
func (l *FoundLine) addPiece(piece string, at int, places []match.Range, isCut bool) {
	switch {
	case l.Text != "" && isCut:
		l.Text += " … "
	case isCut:
		l.Text = "… "
	}
	shown, marks := collapseSpaces(piece, at, places)
	for _, m := range marks {
		l.Marks = append(l.Marks, match.Range{Start: m.Start + len(l.Text), End: m.End + len(l.Text)})
	}
	l.Text += shown
}

// longestPlace is how much of a place is shown at most, in bytes.
const longestPlace = 600

// stepBack goes back from a place by so many characters, but not beyond the start, to where
// a word begins if there is one; cut reports whether it did not come to the start.
func stepBack(s string, start, at, most int) (from int, cut bool) {
	from = at
	for ; most > 0 && from > start; most-- {
		_, size := utf8.DecodeLastRuneInString(s[start:from])
		from -= size
	}
	if from == start {
		return from + len(s[from:at]) - len(strings.TrimLeft(s[from:at], " \t")), false
	}
	if n := strings.IndexByte(s[from:at], ' '); n >= 0 && n < (at-from)/2 { // what has no space is shown from within
		from += n + 1
	}
	return from, true
}

// stepForward goes on from a place as stepBack goes back.
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

// collapseSpaces returns a text that begins at a place of a document with single spaces, and where
// places of the document are in it.
func collapseSpaces(s string, at int, places []match.Range) (line string, marks []match.Range) {
	var out strings.Builder
	next := 0
	mark := func(i int) { // what comes to stand at the end of out is at i in s
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

// Highlighted is the text with each place between two marks.
func (l FoundLine) Highlighted(open, end string) string {
	var out strings.Builder
	at := 0
	for _, m := range l.Marks {
		out.WriteString(l.Text[at:m.Start] + open + l.Text[m.Start:m.End] + end)
		at = m.End
	}
	return out.String() + l.Text[at:]
}
