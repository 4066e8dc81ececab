package index

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"vademecum/docs/text"
	"vademecum/index/match"
	"vademecum/index/notice"
	"vademecum/index/recovery"
	"vademecum/index/search"
	"vademecum/internal/message"
)

// Limits of a FindQuery.
const (
	MaxFindRunes     = 1000
	MaxFindLines     = 200
	DefaultFindLines = 20
)

// findTime is how long texts are looked through for one query.
const findTime = 2 * time.Second

// linesOfEach is how many lines of each document are shown, where several have some.
const linesOfEach = 5

// FindQuery is a text, or a pattern, of which every place is wanted.
type FindQuery struct {
	Text   string // at most MaxFindRunes
	Regexp bool   // it is a regular expression, see match.NewPattern
	Case   bool   // see match.Folding
	Filter        // only in documents that it means

	Skip  int           // lines that were shown before
	Lines int           // that are wanted, at most MaxFindLines; 0: DefaultFindLines
	Time  time.Duration // to look through texts; 0: findTime
}

// Findings are the places that a FindQuery has: of documents with most of them first, some
// lines.
type Findings struct {
	Places    int             `json:"places"`    // in all documents
	Documents int             `json:"documents"` // that have some
	Lines     int             `json:"lines"`     // that can be shown
	Found     []FoundDocument `json:"found"`     // those that are
	Next      int             `json:"next,omitempty"`
	Notes     []notice.Note   `json:"notes,omitempty"`

	// Incomplete says that not all documents were looked through.
	Incomplete bool `json:"incomplete,omitempty"`
}

// FoundDocument is a document with places.
type FoundDocument struct {
	Path   string      `json:"path"` // as shown
	URI    string      `json:"uri"`
	Places int         `json:"places"` // in it
	Lines  []FoundLine `json:"lines"`  // some of those with places
	More   int         `json:"more_lines,omitempty"`
}

// Check fills in what is not given, and returns how to find the text.
func (q *FindQuery) Check() (match.Matcher, error) {
	if n := utf8.RuneCountInString(q.Text); n > MaxFindRunes {
		return nil, message.Errorf("text is too long (%d characters, at most %d): give a part of it that occurs nowhere else", "text 太长（%d 个字符，至多 %d 个）：请给出其中独特的一部分", n, MaxFindRunes)
	}
	if q.Lines == 0 {
		q.Lines = DefaultFindLines
	}
	if q.Lines < 1 || q.Lines > MaxFindLines {
		return nil, message.Errorf("lines must be a whole number from 1 to %d, got %d", "lines 必须是 1 到 %d 的整数，而不是 %d", MaxFindLines, q.Lines)
	}
	if q.Skip < 0 {
		return nil, message.Errorf("skip must be 0 or more, got %d", "skip 必须不小于 0，而不是 %d", q.Skip)
	}
	q.Time = cmp.Or(q.Time, findTime)
	if q.Regexp {
		return match.NewPattern(q.Text, q.Case)
	}
	return match.NewLiteral(q.Text, q.Case)
}

// Find finds every place of a text or a pattern in what is indexed now. A mistake in the
// query is an error in one line that says what is accepted.
func (ix *Index) Find(ctx context.Context, q FindQuery) (Findings, error) {
	matcher, err := q.Check()
	if err != nil {
		return Findings{}, err
	}
	only, err := ix.filter(ctx, q.Filter)
	if err != nil {
		return Findings{}, err
	}
	select { // each takes all processors: one after the other they have enough time
	case ix.finding <- struct{}{}:
		defer func() { <-ix.finding }()
	case <-ctx.Done():
		return Findings{}, ctx.Err()
	}
	f := finder{Index: ix, FindQuery: q, Matcher: matcher, only: only}
	before := ix.fresh.View()
	found, err := recovery.Read(ctx, ix.engine.Recovery, func() (Findings, error) {
		before = ix.fresh.View()
		return f.find(ctx)
	})
	if err != nil {
		return Findings{}, fmt.Errorf("find: %w", err)
	}
	since := before.Compare(f.isStale)
	if found.Places == 0 {
		found.Notes = append(found.Notes, soFar(ix.whyNone(ix.store, q.Filter, only), since.MayMiss)...)
	}
	if ix.isElsewhere(ctx, q.Path, only.Places) {
		found.Notes = append(found.Notes, ix.elsewhere(q.Path, only.Places))
	}
	found.Notes = append(append(found.Notes, since.LateNote()...), since.Notes(false)...)
	found.Notes = slices.DeleteFunc(found.Notes, func(n notice.Note) bool { return n.Kind == notice.WithoutVector || n.Kind == notice.VectorsRefused })
	found.Incomplete = found.Incomplete || since.MayMiss
	return found, nil
}

// finder is one query.
type finder struct {
	*Index
	FindQuery
	match.Matcher
	only    search.Filter
	isStale bool         // a document was replaced meanwhile
	failed  atomic.Int32 // documents that could not be looked through
}

// placesIn counts the places in a document, and the lines that they begin in.
type placesIn struct {
	*search.Document
	path          string
	places, lines int
}

// find looks through all texts of one moment, and reads those of which lines are shown
// again.
func (f *finder) find(ctx context.Context) (found Findings, err error) {
	err = f.store.View(ctx, func(ctx context.Context, v search.View) error {
		f.isStale = false
		f.failed.Store(0)
		var documents []*search.Document
		for _, d := range v.Admitted(f.only) {
			if d.Skip == "" {
				documents = append(documents, d)
			}
		}
		counts, looked, err := f.countAll(ctx, v, documents)
		if err != nil {
			return err
		}
		found = Findings{Documents: len(counts)}
		if looked < len(documents) {
			found.Incomplete = true
			found.Notes = []notice.Note{{Kind: notice.OutOfTime, For: f.Time, Done: looked, Total: len(documents)}}
		}
		if n := int(f.failed.Load()); n > 0 {
			found.Incomplete = true
			found.Notes = append(found.Notes, notice.Note{Kind: notice.NotLooked, Count: n})
		}
		return f.show(ctx, v, counts, &found)
	})
	return found, err
}

// batch is how many texts are read at once.
const batch = 200

// countAll counts the places in documents, and tells how many it had time for. Texts are
// looked through while others are read.
func (f *finder) countAll(ctx context.Context, v search.View, documents []*search.Document) (counts []placesIn, looked int, err error) {
	end := time.Now().Add(f.Time)
	slices.SortFunc(documents, func(a, b *search.Document) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.ID, b.ID))
	})
	bodies := make(chan map[*search.Document]text.Body, 2*runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for some := range bodies {
				found := f.count(some)
				mu.Lock()
				counts = append(counts, found...)
				mu.Unlock()
			}
		})
	}
	for looked < len(documents) && err == nil && time.Now().Before(end) {
		some := documents[looked:min(looked+batch, len(documents))]
		var read map[*search.Document]text.Body
		if read, err = v.Bodies(ctx, some); err == nil {
			bodies <- read
			looked += len(some)
			f.isStale = f.isStale || len(read) < len(some)
		}
	}
	close(bodies)
	workers.Wait()
	return counts, looked, cmp.Or(err, ctx.Err())
}

// count counts the places in texts, without those that have none. A fault of this program
// that one of them brings to light costs nothing but that one.
func (f *finder) count(bodies map[*search.Document]text.Body) (counts []placesIn) {
	var all []match.Range
	for d, body := range bodies {
		err := f.engine.Guard.Catch("find in "+d.Path, func() error {
			all = f.Matcher.Find(all[:0], body.Text)
			return nil
		})
		switch {
		case err != nil:
			f.failed.Add(1)
		case len(all) > 0:
			counts = append(counts, placesIn{Document: d, places: len(all), lines: len(lines(body.Text, all))})
		}
	}
	return counts
}

// lines puts places together that begin in one line.
func lines(text string, places []match.Range) (all [][]match.Range) {
	for i := 0; i < len(places); {
		first, n := i, 1
		for i++; i < len(places) && !strings.Contains(text[places[first].Start:places[i].Start], "\n"); i++ {
			n++
		}
		all = append(all, places[first:first+n])
	}
	return all
}

// show fills in the lines that are shown of what was counted.
func (f *finder) show(ctx context.Context, v search.View, counts []placesIn, found *Findings) error {
	for i := range counts {
		counts[i].path = f.folders.Show(counts[i].At())
		found.Places += counts[i].places
	}
	slices.SortFunc(counts, func(a, b placesIn) int { return cmp.Or(cmp.Compare(b.places, a.places), cmp.Compare(a.path, b.path)) })
	each := linesOfEach
	if len(counts) == 1 {
		each = counts[0].lines
	}
	shown := make(map[*search.Document][2]int) // first line and how many
	var documents []*search.Document
	for _, c := range counts {
		has := min(c.lines, each)
		first := max(0, f.Skip-found.Lines)
		found.Lines += has
		left := f.Skip + f.Lines - (found.Lines - has) // of the lines wanted, from the first of the document on
		if n := min(has, left) - first; n > 0 {
			shown[c.Document] = [2]int{first, n}
			documents = append(documents, c.Document)
			found.Found = append(found.Found, FoundDocument{Path: c.path, URI: f.describe(c.Document).URI, Places: c.places, More: c.lines - has})
		}
	}
	if f.Skip+f.Lines < found.Lines {
		found.Next = f.Skip + f.Lines
	}
	bodies, err := v.Bodies(ctx, documents)
	for i, d := range documents {
		body := bodies[d]
		all := lines(body.Text, f.Matcher.Find(nil, body.Text))
		first := min(shown[d][0], len(all))
		for _, places := range all[first:min(first+shown[d][1], len(all))] {
			found.Found[i].Lines = append(found.Found[i].Lines, newFoundLine(body, places))
		}
	}
	return err
}
