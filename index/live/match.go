package live

import (
	"context"
	"errors"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/ranking"
	"vademecum/index/search"
)

// library is what is in memory, as it is ranked. The caller holds the lock.
func (st *Store) library() *ranking.Corpus {
	return &ranking.Corpus{Holder: st.Memory, Postings: st.Postings, Vectors: st.Vectors, Semantic: st.Model.Semantic, Weight: st.Model.Weight}
}

// Wording returns what the chunk at a slot says.
func (m *Memory) Wording(s rank.Slot) rank.Wording { return m.Chunks[s].Wording }

// Compare orders the chunks at two slots by their places.
func (m *Memory) Compare(a, b rank.Slot) int { return m.Chunks[a].ComparePlace(&m.Chunks[b]) }

// Chunk returns the chunk at a slot.
func (m *Memory) Chunk(s rank.Slot) *search.Chunk { return &m.Chunks[s] }

// SlotsOf lists the slots of the document that has a chunk at one.
func (m *Memory) SlotsOf(s rank.Slot) []rank.Slot { return m.Chunks[s].Document.Slots }

// Directories counts those that have a searchable document.
func (m *Memory) Directories() int { return len(m.directories) }

// Together counts the searchable documents in the directory of one.
func (m *Memory) Together(d *search.Document) int { return m.directories[ranking.DirectoryOf(d)] }

// CountDirectories is Directories for who does not hold the lock.
func (st *Store) CountDirectories() int {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.Directories()
}

// CountTogether is Together for who does not hold the lock.
func (st *Store) CountTogether(d *search.Document) int {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.Together(d)
}

// count counts a searchable document in its directory, or takes it out by -1.
func (m *Memory) count(d *search.Document, by int) {
	if d.Skip != "" {
		return
	}
	at := ranking.DirectoryOf(d)
	if m.directories[at] += by; m.directories[at] <= 0 {
		delete(m.directories, at)
	}
}

// Unknown lists the words of a question that occur nowhere.
func (st *Store) Unknown(_ context.Context, question string) ([]string, error) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return analysis.Unknown(question, st.Postings.Has), nil
}

// Search fuses what all phrasings find into one list, best first. Only documents that
// are meant may answer.
//
// Between two phrasings others may write. When they do, what was found is void,
// and all is done again without letting anyone in.
func (st *Store) Search(ctx context.Context, phrasings []search.Phrasing, only search.Filter, wanted int) (search.Found, error) {
	analysed := ranking.Analyse(phrasings)
	found, err := st.searchOnce(ctx, analysed, only, wanted, true)
	if errors.Is(err, errWritten) {
		return st.searchOnce(ctx, analysed, only, wanted, false)
	}
	return found, err
}

// errWritten says that memory has changed meanwhile.
var errWritten = errors.New("the index has changed")

func (st *Store) searchOnce(ctx context.Context, phrasings []ranking.Phrasing, only search.Filter, wanted int, yielding bool) (search.Found, error) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	written := st.written
	yield := func() error {
		if !yielding {
			return nil
		}
		st.Mu.RUnlock()
		err := ctx.Err()
		st.Mu.RLock() // after those who wait to write
		if err == nil && st.written != written {
			err = errWritten
		}
		return err
	}
	return st.library().Search(ctx, phrasings, st.filter(only), wanted, yield)
}

// Explain lists the terms for which a chunk is found by its words, the weightiest
// first, over all phrasings. There are none when it is gone.
func (st *Store) Explain(ctx context.Context, phrasings []search.Phrasing, of search.Chunk) ([]search.Weight, error) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	if of.Number >= len(of.Document.Slots) {
		return nil, nil
	}
	slot := of.Document.Slots[of.Number]
	if st.chunkAt(slot).Key != of.Key {
		return nil, nil
	}
	return st.library().Explain(ctx, ranking.Analyse(phrasings), slot)
}
