// Package postgres finds chunks in a PostgreSQL database: a server has the documents
// of its libraries at hand, and neither their chunks nor postings nor vectors. For
// each question it asks the database for the lists of the terms, makes a small index
// of them, and ranks as in memory; then it asks for the chunks that may be shown.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/catalog/postgres"
	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/ranking"
	"vademecum/index/search"
	"vademecum/internal/script"
)

// Searcher finds chunks of the documents that a store of heads has. What is not about
// chunks it leaves to that.
type Searcher struct {
	*live.Store
	turns chan struct{} // one for each question that is answered at a time
	table table
	first sync.Once
}

var _ search.Searcher = (*Searcher)(nil)

// New makes a Searcher of the documents in a store, whose catalogues are all in one
// database. It answers so many questions at a time: each needs some memory, and those
// that wait are not slower for it when there are as many as processors.
func New(store *live.Store, turns int) *Searcher {
	return &Searcher{Store: store, turns: make(chan struct{}, max(1, turns))}
}

// library is a folder and its catalogue.
type library struct {
	*postgres.Catalog
	folder   int
	follower *live.Follower
}

// errElsewhere says that a catalogue is not in a database.
var errElsewhere = errors.New("the index of a folder is not in the database")

// libraries are those that are loaded.
func (s *Searcher) libraries() (all []library, err error) {
	for folder := range s.Followers {
		f := s.Follower(folder)
		if f == nil {
			continue
		}
		c, ok := f.Catalog.(*postgres.Catalog)
		if !ok {
			return nil, errElsewhere
		}
		all = append(all, library{Catalog: c, folder: folder, follower: f})
	}
	return all, nil
}

// tries is how often a question is asked at most because documents have changed since
// the store followed them, and followLimit how long it waits for that each time.
const (
	tries       = 3
	followLimit = time.Second
)

// ask calls f with what is to be asked at one moment, when it is this question's turn.
// A document that was replaced between the last look at the changes and that moment has
// other chunks there than the store knows of, and would not be found: then the store
// follows the changes and the question is asked again. What cannot be followed in time
// does not hold it up.
func (s *Searcher) ask(ctx context.Context, f func(context.Context, *asking) error) error {
	libraries, err := s.libraries()
	if err != nil || len(libraries) == 0 {
		return err
	}
	select {
	case s.turns <- struct{}{}:
		defer func() {
			<-s.turns
			s.first.Do(s.Collect) // the next ones make as much again, before the pause after a start is over
		}()
	case <-ctx.Done():
		return ctx.Err()
	}
	for try := 1; ; try++ {
		var late []int
		err := libraries[0].Store().At(ctx, func(ctx context.Context, m *postgres.Moment) (err error) {
			a := &asking{Searcher: s, Moment: m, libraries: libraries}
			if late, err = a.look(ctx); err != nil || len(late) > 0 && try < tries {
				return err
			}
			late = nil
			return f(ctx, a)
		})
		if err != nil || len(late) == 0 {
			return err
		}
		if !s.follow(ctx, late) {
			try = tries
		}
	}
}

// follow has the store follow the changes of some folders and tells whether it has.
func (s *Searcher) follow(ctx context.Context, folders []int) bool {
	ctx, cancel := context.WithTimeout(ctx, followLimit)
	defer cancel()
	for _, folder := range folders {
		if _, err := s.Follow(ctx, folder); err != nil {
			return false
		}
	}
	return true
}

// asking is what a question asks at one moment.
type asking struct {
	*Searcher
	*postgres.Moment
	libraries []library
	wholes    []*lexical.Whole
	bases     []uint32 // first slot of each library among those of all
	documents *documents
}

// look finds out which documents the store knows of, how much there is in each library,
// and which folders have changed since the store followed their changes.
func (a *asking) look(ctx context.Context) (late []int, err error) {
	followed := make([]int64, len(a.libraries)) // at least that is in the documents
	for i, l := range a.libraries {
		followed[i] = l.follower.LastFollowed()
	}
	if a.documents = a.table.of(a.Store); a.documents.damage != nil {
		return nil, a.documents.damage
	}
	end := uint32(0)
	for i, l := range a.libraries {
		whole, change, err := a.Whole(ctx, l.Catalog)
		if err != nil {
			return nil, err
		}
		if change > followed[i] {
			late = append(late, l.folder)
		}
		a.wholes, a.bases = append(a.wholes, whole), append(a.bases, end)
		end += whole.Slots
	}
	return late, nil
}

// Search is that of search.Searcher.
func (s *Searcher) Search(ctx context.Context, phrasings []search.Phrasing, only search.Filter, wanted int) (found search.Found, err error) {
	if err := ctx.Err(); err != nil {
		return found, err
	}
	err = s.ask(ctx, func(ctx context.Context, a *asking) (err error) {
		found, err = a.search(ctx, ranking.Analyse(phrasings), only, wanted)
		return err
	})
	if err != nil {
		return search.Found{}, fmt.Errorf("ask the database: %w", err)
	}
	return found, nil
}

func (a *asking) search(ctx context.Context, phrasings []ranking.Phrasing, only search.Filter, wanted int) (search.Found, error) {
	near, err := a.near(ctx, phrasings, only)
	if err != nil {
		return search.Found{}, err
	}
	found, err := a.rank(ctx, phrasings, only, wanted, near)
	if err != nil || !a.Builtin || len(found.Candidates) >= wanted {
		return found, err
	}
	if near, err = a.related(ctx, phrasings, only); err != nil || near == nil {
		return found, err
	}
	return a.rank(ctx, phrasings, only, wanted, near)
}

// rank ranks what the words find and what is near in each library.
func (a *asking) rank(ctx context.Context, phrasings []ranking.Phrasing, only search.Filter, wanted int, near [][]uint32) (search.Found, error) {
	e, err := a.gather(ctx, phrasings)
	if err != nil {
		return search.Found{}, err
	}
	defer e.Release()
	keep := a.admitted(only)
	h, err := a.fetch(ctx, e, phrasings, keep, near)
	if err != nil {
		return search.Found{}, err
	}
	found, err := h.library().Search(ctx, phrasings, h.fetched(keep), wanted, ctx.Err)
	if err == nil && h.lost {
		err = fmt.Errorf("a passage that the lists have is gone: %w", catalog.ErrDamaged)
	}
	return found, err
}

// fetch has the chunks at hand that are looked at, more of them where many have the
// same wording.
func (a *asking) fetch(ctx context.Context, e *lexical.Excerpt, phrasings []ranking.Phrasing, keep admitted, near [][]uint32) (*held, error) {
	const most = 64
	for times := 2; ; times *= 4 {
		p := ranking.NewPromising(phrasings, times)
		err := e.Windows(func(first uint32, x *lexical.Index) error {
			return p.Look(ctx, x, first, keep.filter(first, x.Slots()))
		})
		if err != nil {
			return nil, err
		}
		led := p.Led()
		h, err := a.hold(ctx, e, phrasings, led, near)
		if err != nil || times > most || led.IsEnough(h.wording) {
			return h, err
		}
	}
}

// gather gathers the lists that phrasings need.
func (a *asking) gather(ctx context.Context, phrasings []ranking.Phrasing) (*lexical.Excerpt, error) {
	questions := make([]lexical.Question, len(phrasings))
	for i, p := range phrasings {
		questions[i] = p.Terms
	}
	e := lexical.NewExcerpt(questions, a.wholes)
	terms := append(lexical.Terms(questions), lexical.Trigrams(questions)...)
	if err := a.add(ctx, e, terms); err != nil {
		return nil, err
	}
	var words []string
	for i, l := range a.libraries {
		numbers, err := e.Alike(i)
		if err != nil {
			return nil, err
		}
		found, err := a.Words(ctx, l.Catalog, numbers)
		if err != nil {
			return nil, err
		}
		words = append(words, found...)
	}
	return e, a.add(ctx, e, e.Kin(words))
}

func (a *asking) add(ctx context.Context, e *lexical.Excerpt, terms []string) error {
	for i, l := range a.libraries {
		err := a.Lists(ctx, l.Catalog, terms, func(term string, list lexical.StoredList) error { return e.Add(i, term, list) })
		if err != nil {
			return err
		}
	}
	return nil
}

// Explain is that of search.Searcher.
func (s *Searcher) Explain(ctx context.Context, phrasings []search.Phrasing, of search.Chunk) (weights []search.Weight, err error) {
	if of.Number >= int(of.Document.Run.Count) {
		return nil, nil
	}
	err = s.ask(ctx, func(ctx context.Context, a *asking) error {
		analysed := ranking.Analyse(phrasings)
		e, err := a.gather(ctx, analysed)
		if err != nil {
			return err
		}
		defer e.Release()
		a.include(e, of.Document)
		h, err := a.newHeld(e)
		if err != nil {
			return err
		}
		weights, err = h.library().Explain(ctx, analysed, h.slot(of.Document, of.Number))
		return err
	})
	return weights, err
}

// Unknown is that of search.Searcher. It tells of no word where the database does not
// answer.
func (s *Searcher) Unknown(question string) (unknown []string) {
	ctx := context.Background() // a moment has a limit of its own
	_ = s.ask(ctx, func(ctx context.Context, a *asking) error {
		known, err := a.known(ctx, lexical.TermsOfUnknown(question))
		if err == nil {
			unknown = lexical.Knowing(known).Unknown(question)
		}
		return err
	})
	return unknown
}

// known are those of some terms that a chunk has. A list is looked into only where all
// chunks of it may be gone.
func (a *asking) known(ctx context.Context, terms []string) (known []string, err error) {
	e := lexical.NewExcerpt(nil, a.wholes)
	defer e.Release()
	for i, l := range a.libraries {
		counts, err := a.Counts(ctx, l.Catalog, terms)
		if err != nil {
			return nil, err
		}
		var short []string
		for term, n := range counts {
			if n > a.wholes[i].CountGone() {
				known = append(known, term)
			} else {
				short = append(short, term)
			}
		}
		err = a.Lists(ctx, l.Catalog, short, func(term string, list lexical.StoredList) error { return e.Add(i, term, list) })
		if err != nil {
			return nil, err
		}
	}
	for _, t := range terms {
		if e.Has(t) {
			known = append(known, t)
		}
	}
	return known, nil
}

// CountLanguages is that of search.Searcher.
func (s *Searcher) CountLanguages(ctx context.Context) (byCode map[string]int, err error) {
	err = s.ask(ctx, func(ctx context.Context, a *asking) error {
		byCode = make(map[string]int)
		for _, l := range a.libraries {
			var first []uint32
			for _, d := range a.documents.folders[l.folder] {
				first = append(first, d.Run.First)
			}
			err := a.Languages(ctx, l.Catalog, first, func(l script.Language, n int) { byCode[l.Code()] += n })
			if err != nil {
				return err
			}
		}
		return nil
	})
	return byCode, err
}

// Copies is that of search.Searcher. There are none where the database does not answer.
func (s *Searcher) Copies(to []search.Chunk, of map[rank.Wording]bool, only search.Filter) []search.Chunk {
	wordings := make([]rank.Wording, 0, len(of))
	for w := range of {
		wordings = append(wordings, w)
	}
	found := to
	ctx := context.Background() // a moment has a limit of its own
	err := s.ask(ctx, func(ctx context.Context, a *asking) error {
		found = to
		isMeant := a.meant(only)
		for _, l := range a.libraries {
			all, err := a.Moment.Copies(ctx, l.Catalog, wordings)
			if err != nil {
				return err
			}
			for _, p := range all {
				if d := a.documents.at(l.folder, p.Slot); d != nil && isMeant(d) {
					found = append(found, chunkOf(d, p))
				}
			}
		}
		return nil
	})
	if err != nil {
		return to
	}
	search.SortByPlace(found[len(to):])
	return found
}
