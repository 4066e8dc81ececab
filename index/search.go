package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vademecum/embed"
	"vademecum/index/lexical"
	"vademecum/internal/present"
)

// Limits of a query.
const (
	MaxTopK       = 50
	DefaultTopK   = 5
	MaxAlso       = 8
	MaxQueryRunes = 8000
)

// Query is a question and how to answer it.
type Query struct {
	Text string   // the question, at most MaxQueryRunes
	Also []string // the same in other words or languages, at most MaxAlso
	TopK int      // passages wanted, 1 to MaxTopK; 0 means DefaultTopK
	Path string   // glob: only documents that it means; "" means all
}

// Search answers a query from what is in memory now. A mistake in the query is
// an error in one line that says what is accepted.
func (ix *Index) Search(ctx context.Context, q Query) (Answer, error) {
	if err := q.Check(); err != nil {
		return Answer{}, err
	}
	meant, err := ix.meant(ctx, q.Path)
	if err != nil {
		return Answer{}, err
	}
	phrasings, notes := ix.phrasings(ctx, q)
	wordsOnly := len(notes) > 0
	none := meant != nil && !ix.store.isAny(meant)
	if none {
		notes = append(notes, ix.NoPathLike(q.Path))
	}
	var behind bool
	var lost int64
	found, err := despiteDamage(ctx, ix, func() (selected, error) {
		behind, lost = ix.State().Behind(), ix.lost.Load()
		return ix.passages(ctx, phrasings, meant, q)
	})
	if err != nil {
		return Answer{}, fmt.Errorf("search: %w", err)
	}
	changed := lost != ix.lost.Load() || found.missing
	incomplete := behind || changed || ix.mayMiss()
	unknown := ix.store.unknown(q.Text)
	if len(unknown) > 0 {
		where := "Nowhere in the documents: "
		if incomplete || ix.mayMiss() {
			where = "Nowhere in what is indexed so far: "
		}
		notes = append(notes, where+strings.Join(unknown, ", ")+".")
	}
	late := ix.restless.late(time.Now())
	if len(unknown) > 0 || len(found.passages) == 0 || found.isFromAny(ix, late) {
		notes = append(notes, ix.lateNote(late)...)
	}
	if behind && !ix.State().Behind() || changed {
		notes = append(notes, "The folder was being scanned until now; ask again for a complete answer.")
	}
	return Answer{Passages: found.passages, Notes: append(notes, ix.freshness(!wordsOnly)...), Incomplete: incomplete, Little: !none && found.isLittle(ix.store.builtin)}, nil
}

// NoPathLike says that there is no document that a glob means.
func (ix *Index) NoPathLike(pattern string) string {
	if ix.mayMiss() {
		return fmt.Sprintf("No document that is indexed so far has a path like %s.", present.Name(pattern))
	}
	return fmt.Sprintf("No document has a path like %s.", present.Name(pattern))
}

// mayMiss tells whether there may be documents that are not indexed yet.
func (ix *Index) mayMiss() bool {
	s := ix.State()
	if s.Behind() || s.Failure != "" || len(ix.restless.late(time.Now())) > 0 {
		return true
	}
	for i := range ix.folders {
		if ix.unheard(i) != "" {
			return true
		}
	}
	return false
}

// Check fills in what is not given and returns what is wrong with the query.
func (q *Query) Check() error {
	q.Text = strings.TrimSpace(q.Text)
	if q.Text == "" {
		return errors.New("query is empty: ask a question or give some words to look for")
	}
	for i, text := range append([]string{q.Text}, q.Also...) {
		if n := len([]rune(text)); n > MaxQueryRunes {
			name := "query"
			if i > 0 {
				name = fmt.Sprintf("also[%d]", i-1)
			}
			return fmt.Errorf("%s is too long (%d characters, at most %d): ask in a sentence or two", name, n, MaxQueryRunes)
		}
	}
	if len(q.Also) > MaxAlso {
		return fmt.Errorf("also holds %d phrasings: at most %d", len(q.Also), MaxAlso)
	}
	if q.TopK == 0 {
		q.TopK = DefaultTopK
	}
	if q.TopK < 1 || q.TopK > MaxTopK {
		return fmt.Errorf("top_k must be a whole number from 1 to %d, got %d", MaxTopK, q.TopK)
	}
	return nil
}

// queryPatience is how long a query waits for the embedding model.
const queryPatience = 2 * time.Second

// phrasings analyses and embeds the query. When the model does not answer in
// time, the words alone must do, and a note says so.
func (ix *Index) phrasings(ctx context.Context, q Query) ([]phrasing, []string) {
	texts := []string{q.Text}
	for _, also := range q.Also {
		if also = strings.TrimSpace(also); also != "" {
			texts = append(texts, also)
		}
	}
	vectors, why := ix.embedQuestion(ctx, texts)
	var notes []string
	if why != "" {
		notes = append(notes, "Found by words only: "+why+".")
	}
	out := make([]phrasing, len(texts))
	for i, text := range texts {
		out[i] = phrasing{weight: 1, terms: lexical.NewQuestion(text), spaced: lexical.SpacedShare(text), vector: vectors[i]}
		if i > 0 {
			out[i].weight = 1 / float64(len(texts)-1)
		}
	}
	return out, notes
}

// embedQuestion embeds the wordings of a question. Those that have no vector are
// nil; why says so when it is the question itself, or all.
func (ix *Index) embedQuestion(ctx context.Context, texts []string) (vectors [][]float32, why string) {
	patient, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	vectors, err := ix.embedder.Embed(patient, embed.Query, texts)
	var refused embed.Refused
	none := make([][]float32, len(texts))
	switch {
	case errors.As(err, &refused):
		if reason := refused[0]; reason != nil {
			why = fmt.Sprintf("the embedding model refuses the question (%v)", reason)
		}
		return vectors, why
	case err != nil && patient.Err() != nil && ctx.Err() == nil:
		return none, fmt.Sprintf("%s took longer than %s to answer", ix.embedder.Model(), queryPatience)
	case err != nil:
		return none, fmt.Sprintf("the embedding model did not answer (%v)", err)
	}
	if ix.State().EmbedFailure != "" {
		ix.recovered()
	}
	if ix.store.isOther(vectors[0]) {
		ix.startAnew(patient, vectors[0])
		return none, fmt.Sprintf("the vectors of %s have another length now, all passages are embedded anew", ix.embedder.Model())
	}
	return vectors, ""
}

// startAnew has all passages embedded again when it is true that the model gives
// vectors of another length than before.
func (ix *Index) startAnew(ctx context.Context, vec []float32) {
	if err := ix.checkLength(ctx, map[textKey][]float32{{}: vec}); err != nil {
		ix.log.Warn("could not tell which vectors are right", "error", err)
	}
	ix.wantVectors()
}

// Freshness tells what answers may miss now, a line each.
func (ix *Index) Freshness() []string {
	return append(ix.freshness(true), ix.lateNote(ix.restless.late(time.Now()))...)
}

// lateNote says which files have changed and are not read yet, as they change all
// the time.
func (ix *Index) lateNote(late []location) []string {
	if len(late) == 0 {
		return nil
	}
	name := present.Name(ix.show(late[0]))
	if n := len(late) - 1; n > 0 {
		name += fmt.Sprintf(" (like %d other files)", n)
	}
	return []string{name + " changes all the time and is read at intervals: what was written to it last may be missing."}
}

// freshness leaves out why the model fails, when that was said.
func (ix *Index) freshness(reason bool) []string {
	var notes []string
	s := ix.State()
	switch {
	case s.Failure != "":
		notes = append(notes, "The index may be out of date, the last run failed: "+s.Failure+".")
	case s.Phase == Indexing:
		notes = append(notes, fmt.Sprintf("The index is being built: %s are done; ask again for a complete answer.", s.Progress()))
	case s.Behind():
		notes = append(notes, "The folder is still being scanned; ask again for a complete answer.")
	}
	for i, f := range ix.folders {
		if why := ix.unheard(i); why != "" {
			notes = append(notes, why)
		}
		if since := f.Silent(); since > 0 {
			notes = append(notes, fmt.Sprintf("The folder does not answer: nothing was heard from the drive or network of %s for %d seconds, this is from the index as it was before.", present.Name(f.Dir()), int(max(1, since.Seconds()))))
		} else if why := ix.strayed(i); why != "" {
			notes = append(notes, why+".")
		}
	}
	if s.Unwatched != "" && ix.pace.took() > quickScan {
		notes = append(notes, fmt.Sprintf("Changes may show only after %d seconds: not all of the folder is watched (%s).", int(ix.sweepPause().Seconds()), s.Unwatched))
	}
	if !s.Behind() {
		notes = append(notes, ix.bareNote(s, reason)...)
	}
	return notes
}

// strayed tells that the path by which a folder was given leads elsewhere now,
// "" while it leads to the folder. Its index is that of the folder: what the path
// leads to now has one of its own.
func (ix *Index) strayed(folder int) string {
	f := ix.folders[folder]
	why := f.Strayed()
	if why == "" {
		return ""
	}
	return fmt.Sprintf("%s, but these documents are those of %s: start vademecum again for the others", why, present.Name(f.Real()))
}

// bareNote tells how many passages have no vector of the model, and why.
func (ix *Index) bareNote(s State, reason bool) []string {
	chunks, bare := ix.store.countChunks()
	if bare == 0 || ix.store.builtin {
		return nil
	}
	due := len(ix.store.pending()) > 0
	why := "have no vector yet"
	switch _, left := s.EmbedPace(); {
	case !due:
		why = "are refused by the embedding model"
	case left > 0:
		why += fmt.Sprintf(" (about %s left)", left)
	case s.EmbedFailure != "" && reason:
		why += fmt.Sprintf(" (%s)", s.EmbedFailure)
	}
	return []string{fmt.Sprintf("%d of %d passages %s and are found by their words only.", bare, chunks, why)}
}
