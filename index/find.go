package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/docs/struck"
	"vademecum/docs/text"
	"vademecum/index/match"
	"vademecum/index/notice"
	"vademecum/index/quote"
	"vademecum/index/search"
	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
)

// Limits of a FindQuery.
const (
	maxFindRunes     = 1000
	MaxFindLines     = 200
	defaultFindLines = 20
)

// FindQuery is a text or a pattern whose occurrences are to be found.
type FindQuery struct {
	Text            string // at most maxFindRunes
	IsRegexp        bool   // Text is a regular expression, see match.NewPattern
	IsExactSpelling bool   // distinguishes variants such as upper and lower case, see match.NewLiteral
	Filter                 // selects the documents to search

	LineOffset int // number of matching lines to skip, because they were shown before
	// maximum number of lines to show, up to MaxFindLines; 0 means defaultFindLines
	MaxLines int
	Timeout  time.Duration // limit for searching the texts; 0 means the default, patternTime or literalTime
}

// Findings are the occurrences of a FindQuery: some lines, documents with most occurrences first.
type Findings struct {
	Occurrences    int             `json:"places"`           // occurrences in all documents
	Documents      int             `json:"documents"`        // documents with occurrences
	Lines          int             `json:"lines"`            // lines with occurrences
	Found          []FoundDocument `json:"found"`            // documents whose lines are shown
	OtherDocuments []FoundDocument `json:"others,omitempty"` // further documents, without their lines
	// offset of the next page of lines; 0 if there is none
	NextLineOffset int           `json:"next,omitempty"`
	Notes          []notice.Note `json:"notes,omitempty"`

	// Incomplete means that not all documents were searched.
	Incomplete bool `json:"incomplete,omitempty"`
}

// FoundDocument is a document with occurrences.
type FoundDocument struct {
	Path        string      `json:"path"`            // as shown
	URI         string      `json:"uri,omitempty"`   // empty in Findings.OtherDocuments
	Occurrences int         `json:"places"`          // number of occurrences in the document
	Lines       []FoundLine `json:"lines,omitempty"` // some of the lines with occurrences
	// number of lines with occurrences that are not shown
	MoreLines int `json:"more_lines,omitempty"`
}

// Check sets defaults, and returns a matcher for the text or the pattern. The error says which value
// is invalid.
func (q *FindQuery) Check() (match.Matcher, error) {
	if n := utf8.RuneCountInString(q.Text); n > maxFindRunes {
		return nil, message.Errorf("text is too long (%d characters, at most %d): give a part of it that occurs nowhere else", n, maxFindRunes)
	}
	if q.MaxLines == 0 {
		q.MaxLines = defaultFindLines
	}
	if q.MaxLines < 1 || q.MaxLines > MaxFindLines {
		return nil, message.Errorf("lines must be a whole number from 1 to %d, got %d", MaxFindLines, q.MaxLines)
	}
	if q.LineOffset < 0 {
		return nil, message.Errorf("skip must be 0 or more, got %d", q.LineOffset)
	}
	if q.IsRegexp {
		q.Timeout = cmp.Or(q.Timeout, patternTime)
		return match.NewPattern(q.Text, q.IsExactSpelling)
	}
	q.Timeout = cmp.Or(q.Timeout, literalTime)
	return match.NewLiteral(q.Text, q.IsExactSpelling)
}

// Find finds all occurrences of a text or a pattern in what is indexed now. A mistake in the query
// results in a one-line error that says what is accepted.
func (ix *Index) Find(ctx context.Context, q FindQuery) (Findings, error) {
	matcher, err := q.Check()
	if err != nil {
		return Findings{}, err
	}
	only, err := ix.searchFilter(ctx, q.Filter)
	if err != nil {
		return Findings{}, err
	}
	part := ix.findCitedPart(ctx, q.Path)
	if err := part.check(ctx, ix); err != nil {
		return Findings{}, err
	}
	f := finder{Index: ix, FindQuery: q, only: only, part: part}
	slot := ix.literals
	if q.IsRegexp {
		slot = ix.patterns
	}
	var found Findings
	since, err := ix.scanTexts(ctx, slot, q.Timeout, func(ctx context.Context, scan *textScan) (err error) {
		found, err = f.findTextOrWords(ctx, scan, matcher)
		return err
	})
	if err != nil {
		return Findings{}, fmt.Errorf("find: %w", err)
	}
	if found.Occurrences == 0 {
		why := markIncomplete(ix.whyNone(ix.store, q.Filter, only), since.MayHaveMissed)
		if len(why) == 0 && !only.MatchesAll() {
			why = []notice.Note{{Kind: notice.NoMatchInFilter, Count: len(ix.store.Matching(only))}}
		}
		found.Notes = append(found.Notes, why...)
		found.Notes = append(found.Notes, ix.namedUnreadNotes(q.Text, slices.DeleteFunc(strings.Fields(q.Text), script.IsFunctionWord))...)
		found.Notes = append(found.Notes, ix.hiddenPartNotes(only)...)
	}
	if ix.isOnlyInPart(ctx, q.Path, only.Locations) {
		found.Notes = append(found.Notes, ix.pathElsewhereNote(q.Path, only.Locations))
	}
	found.Notes = append(found.Notes, scanNotes(since)...)
	found.Incomplete = found.Incomplete || since.MayHaveMissed
	return found, nil
}

// finder answers one FindQuery.
type finder struct {
	*Index
	FindQuery
	only search.Filter
	part *citedPart // if Path names a part of a document
}

// documentPlaces counts the occurrences in a document, and the lines in which they begin.
type documentPlaces struct {
	*search.Document
	path          string
	places, lines int
	// occurrences in the lines that may be shown, and those of them with struck-out words; nil if there was no
	// room to hold them
	first, struckOut []match.Range
}

// findTextOrWords finds a text as given or, if it occurs nowhere, its words with other punctuation
// between them, or else with umlauts spelled in the other way. A note reports which.
func (f *finder) findTextOrWords(ctx context.Context, scan *textScan, matcher match.Matcher) (Findings, error) {
	found, err := f.findWith(ctx, scan, matcher)
	if err != nil || found.Occurrences > 0 || f.IsRegexp || f.IsExactSpelling {
		return found, err
	}
	for _, loose := range []struct {
		match.Matcher
		kind notice.Kind
	}{
		{quote.NewWordMatcher(f.Text), notice.PunctuationIgnored},
		{match.NewRespelled(f.Text), notice.UmlautsRespelled},
	} {
		if loose.Matcher == nil {
			continue
		}
		if found, err = f.findWith(ctx, scan, loose.Matcher); err != nil {
			break
		}
		if found.Occurrences > 0 {
			found.Notes = append(found.Notes, notice.Note{Kind: loose.kind})
			break
		}
	}
	return found, err
}

// placesHeld is the maximum number of occurrences held for the lines to be shown (16 MB). Documents
// beyond it are searched again.
const placesHeld = 1 << 20

// findWith searches all texts, and reads those documents again whose lines are shown.
func (f *finder) findWith(ctx context.Context, scan *textScan, matcher match.Matcher) (found Findings, err error) {
	var mu sync.Mutex
	var counts []documentPlaces
	room := placesHeld
	err = scan.eachDocument(ctx, f.only, func(ctx context.Context, d *search.Document, body text.Body) error {
		all, struckOut, err := f.findIn(ctx, matcher, body)
		if len(all) == 0 {
			return err
		}
		lines := groupByLine(body.Text, all)
		c := documentPlaces{Document: d, places: len(all), lines: len(lines)}
		n := 0
		for _, places := range lines[:min(len(lines), f.LineOffset+f.MaxLines)] {
			n += len(places)
		}
		end := all[n-1].End
		struckOut = struckOut[:sort.Search(len(struckOut), func(i int) bool { return struckOut[i].Start >= end })]
		mu.Lock()
		defer mu.Unlock()
		if n+len(struckOut) <= room || err != nil { // if time ran out, there is none left to search again
			c.first, c.struckOut = slices.Clone(all[:n]), slices.Clone(struckOut)
			room -= n + len(struckOut)
		}
		counts = append(counts, c)
		return err
	})
	if err != nil {
		return Findings{}, err
	}
	found = Findings{Documents: len(counts), Notes: scan.missedNotes()}
	found.Incomplete = len(found.Notes) > 0
	return found, f.fillLines(ctx, scan, matcher, counts, &found)
}

// findIn finds the occurrences in a document, or in its part that is selected, and those of them with
// struck-out words.
func (f *finder) findIn(ctx context.Context, matcher match.Matcher, body text.Body) (all, struckOut []match.Range, err error) {
	all, struckOut, err = match.FindIncludingStruck(ctx, matcher, nil, body.Text)
	return f.part.within(body, all), f.part.within(body, struckOut), err
}

// groupByLine groups the occurrences that begin in the same line.
func groupByLine(text string, places []match.Range) (all [][]match.Range) {
	for i := 0; i < len(places); {
		first, n := i, 1
		for i++; i < len(places) && !strings.Contains(text[places[i-1].Start:places[i].Start], "\n"); i++ {
			n++
		}
		all = append(all, places[first:first+n])
	}
	return all
}

// fillLines adds to found the lines of the requested page, grouped by document, and the numbers of
// occurrences and lines.
func (f *finder) fillLines(ctx context.Context, scan *textScan, matcher match.Matcher, counts []documentPlaces, found *Findings) error {
	for i := range counts {
		counts[i].path = f.folders.ShownPath(counts[i].Location())
		found.Occurrences += counts[i].places
	}
	slices.SortFunc(counts, func(a, b documentPlaces) int {
		return cmp.Or(cmp.Compare(b.places, a.places), cmp.Compare(a.path, b.path))
	})
	page, firstUnseen := linesOnPage(counts, f.LineOffset, f.MaxLines)
	var documents []*search.Document
	for _, l := range page {
		c := counts[l.of]
		documents = append(documents, c.Document)
		found.Found = append(found.Found, FoundDocument{Path: c.path, URI: docs.ReadableURI(f.describe(c.Document).URI), Occurrences: c.places, MoreLines: c.lines - l.end})
	}
	for _, c := range counts {
		found.Lines += c.lines
	}
	if f.LineOffset+f.MaxLines < found.Lines {
		found.NextLineOffset = f.LineOffset + f.MaxLines
	}
	for _, c := range counts[firstUnseen:min(len(counts), firstUnseen+mostOthers)] {
		found.OtherDocuments = append(found.OtherDocuments, FoundDocument{Path: c.path, Occurrences: c.places})
	}
	bodies, err := scan.view.LoadBodies(ctx, documents)
	if err != nil {
		return err
	}
	again, cancel := context.WithDeadline(ctx, scan.end.Add(scan.limit/4))
	defer cancel()
	for i, d := range documents {
		body, ok := bodies[d]
		if !ok {
			continue
		}
		places, out := counts[page[i].of].first, struckPlaces{places: counts[page[i].of].struckOut}
		if places == nil {
			places, out.places, _ = f.findIn(again, matcher, body) // as many as time allows
		}
		out.stretches = struck.Find(body.Text)
		all := groupByLine(body.Text, places)
		for _, places := range all[min(page[i].first, len(all)):min(page[i].end, len(all))] {
			found.Found[i].Lines = append(found.Found[i].Lines, newFoundLine(body, places, out))
		}
	}
	return ctx.Err()
}

// mostOthers is the maximum number of documents named without their lines.
const mostOthers = 200

// lineRange is a range of the lines of a document that have occurrences.
type lineRange struct{ of, first, end int }

// linesOnPage chooses the lines to show after the skipped ones: from each document an equal share
// of a page, then more from documents that have more, until all are shown. The more documents have
// occurrences, the fewer lines are shown of each, so that a reader who wants to know where a text
// occurs sees most of them. It also returns the first document of which no line has been shown so
// far.
func linesOnPage(counts []documentPlaces, skip, most int) (page []lineRange, firstUnseen int) {
	each := max(1, most/max(1, len(counts)))
	left := make([]int, len(counts))
	for i := range left {
		left[i] = i
	}
	at := 0 // number of preceding lines
	for first := 0; len(left) > 0 && at < skip+most; first += each {
		var more []int
		for _, i := range left {
			n := min(each, counts[i].lines-first)
			if from, to := max(0, skip-at), min(n, skip+most-at); from < to {
				page = appendLines(page, lineRange{i, first + from, first + to})
			}
			if first == 0 && at < skip+most {
				firstUnseen = i + 1
			}
			if at += n; counts[i].lines > first+each {
				more = append(more, i)
			}
		}
		left = more
	}
	return page, firstUnseen
}

// appendLines appends a range of lines, joined with the last range if it is in the same document.
func appendLines(page []lineRange, l lineRange) []lineRange {
	if n := len(page); n > 0 && page[n-1].of == l.of {
		page[n-1].end = l.end
		return page
	}
	return append(page, l)
}
