package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vademecum/index/freshness"
	"vademecum/index/lexical/analysis"
	"vademecum/index/notice"
	"vademecum/index/ranking"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/internal/base/message"
)

// Limits of a query.
const (
	MaxTopK          = 50
	DefaultTopK      = 5
	briefTopK        = 15 // if a line of each passage is enough
	MaxPages         = 40
	MaxOtherWordings = search.MaxPhrasings - 1
	MaxQueryRunes    = 8000
)

// Query is a question and how to answer it.
type Query struct {
	Text string // the question, up to MaxQueryRunes
	// other wordings of the question, which may be in other languages; at most MaxOtherWordings
	OtherWordings []string
	// number of passages, 1 to MaxTopK; 0 means at most DefaultTopK, and only those that are good
	// enough
	TopK int
	// number of the page of TopK passages, from 0; passages of earlier pages are not repeated
	Page        int
	SingleLines bool // show only a sentence or line of each passage
	Filter           // selects the documents

	MinScoreShare    float64 // minimum score relative to the best passage; 0 admits all
	WithExplanations bool    // explain the rank of each passage
	WithFacets       bool    // count documents by properties that can narrow the query
	// ISO 639 code of the language of passages; "" for any; applied only to the best candidates
	Language string

	// FewerIfSubjectUnknown means that fewer passages suffice if the subject of the question occurs
	// nowhere. It is for callers that do not request a number of passages, or can get more later.
	FewerIfSubjectUnknown bool

	WithoutReranker bool // do not use the Reranker

	// WithScoreReference requests the score reference of the answer.
	WithScoreReference bool `json:"-"`
	// ScoreReference is the score reference of an answer from another Index, so that scores can be compared
	// with its scores; the zero value if there is none.
	ScoreReference ScoreReference `json:"-"`
}

// ScoreReference says how an Index scored the passages of an answer.
type ScoreReference struct {
	Phrasings []search.ScoreReference // by wording
	// BestScore is the score of which Passage.Score is a share. It can be compared with the BestScore of
	// the answer to a query that was given this reference.
	BestScore float64
	// BestWordScore is the sum over the wordings of the best score for words, which is compared likewise.
	BestWordScore float64
}

// Search answers a query from what is loaded now. A mistake in the query results in a one-line
// error that says what is accepted.
func (ix *Index) Search(ctx context.Context, q Query) (Answer, error) {
	if err := q.Check(); err != nil {
		return Answer{}, err
	}
	meant, err := ix.searchFilter(ctx, q.Filter)
	if err != nil {
		return Answer{}, err
	}
	phrasings, notes := ix.phrasings(ctx, q)
	wordsOnly := len(notes) > 0
	asked, unranked := ix.rankingQuestion(ctx, phrasings, meant, q)
	notes = append(notes, unranked...)
	var before freshness.Snapshot
	found, err := sync.ReadWithRepair(ctx, ix.syncer, func() (searchResult, error) {
		before = ix.syncer.Freshness()
		return ix.findPassages(ctx, asked, q)
	})
	if err != nil {
		return Answer{}, fmt.Errorf("search: %w", err)
	}
	since := ix.syncer.Freshness().Since(before, found.missing)
	var why []notice.Note
	if len(found.passages) == 0 {
		if why = markIncomplete(found.why, since.MayHaveMissed); found.documents == 0 {
			why = []notice.Note{{Kind: notice.NothingSearchable, Count: found.unread, MayBeIncomplete: since.MayHaveMissed}}
		}
		notes = append(notes, why...)
		if len(why) == 0 && found.meant > 0 {
			notes = append(notes, notice.Note{Kind: notice.NoMatchInFilter, Count: found.meant})
		}
	}
	notes = append(notes, ix.namedUnreadNotes(q.Text, found.unknown)...)
	if ix.isOnlyInPart(ctx, q.Path, meant.Locations) {
		notes = append(notes, ix.pathElsewhereNote(q.Path, meant.Locations))
	}
	if len(found.passages) > 0 || found.unread == 0 { // otherwise its words may be in files that are not indexed
		notes = append(notes, found.unknownNotes(q.Text, since.MayHaveMissed || since.PagesToRecognise().Left > 0)...)
	}
	if len(found.unknown) > 0 || len(found.passages) == 0 {
		notes = append(notes, ix.closedFolderNotes()...)
	}
	if len(found.passages) == 0 || len(found.unknown) > 0 && found.covered < ranking.LowCoverageThreshold { // otherwise it would stand below most answers
		notes = append(notes, ix.hiddenPartNotes(meant)...)
	}
	if len(found.unknown) > 0 || len(found.passages) == 0 || found.isFromAny(ix, since.ThrottledFiles) {
		notes = append(notes, since.ThrottledFilesNotes()...)
	}
	namesNothing := !slices.ContainsFunc(phrasings, func(p search.Phrasing) bool { return !analysis.NamesNothing(p.Text) })
	if namesNothing && !ix.store.ModelProperties.Semantic {
		notes = append(notes, notice.Note{Kind: notice.QuestionNamesNothing})
	}
	lowCoverage := len(why) == 0 && !namesNothing && found.hasLowCoverage(ix.store.ModelProperties.Semantic)
	if lowCoverage && len(phrasings) == 1 {
		notes = append(notes, ix.languageNotes(ctx, q.Text)...)
	}
	if since.HasCaughtUp {
		notes = append(notes, notice.Note{Kind: notice.ScannedDuringAnswer})
	}
	a := Answer{
		Expansions: found.expansions, HasMore: found.more, ShownBefore: found.before, Facets: found.facets,
		Passages: found.passages, Notes: append(notes, since.Notes(!wordsOnly)...), Incomplete: since.MayHaveMissed,
		HasLowCoverage: lowCoverage, ScoreReference: found.reference,
	}
	if !ix.store.ModelProperties.Semantic {
		a.BestCoverage = found.covered
	}
	return a, nil
}

// hasWord reports whether a text has anything but punctuation and white space, or is an operator such as &&.
func hasWord(text string) bool {
	isWritten := func(r rune) bool { return !unicode.IsPunct(r) && !unicode.IsSpace(r) }
	return strings.ContainsFunc(text, isWritten) || len(analysis.NewQuestion(strings.Trim(text, "?!")).ContentTerms) > 0
}

// Check sets defaults, and returns an error if the query is invalid.
func (q *Query) Check() error {
	q.Text = strings.TrimSpace(q.Text)
	if q.Text == "" {
		return message.Errorf("query is empty: ask a question or give some words to look for")
	}
	if !slices.ContainsFunc(append([]string{q.Text}, q.OtherWordings...), hasWord) {
		return message.Errorf("query has only punctuation: ask a question or give some words to look for")
	}
	for i, text := range append([]string{q.Text}, q.OtherWordings...) {
		if n := len([]rune(text)); n > MaxQueryRunes {
			name := message.New("query")
			if i > 0 {
				name = message.New("also[%d]", i-1)
			}
			return message.Errorf("%v is too long (%d characters, at most %d): ask in a sentence or two", name, n, MaxQueryRunes)
		}
	}
	if len(q.OtherWordings) > MaxOtherWordings {
		return message.Errorf("also has %d wordings, at most %d are allowed", len(q.OtherWordings), MaxOtherWordings)
	}
	if q.Page < 0 || q.Page >= MaxPages {
		return message.Errorf("a question has at most %d pages of results", MaxPages)
	}
	if q.TopK == 0 {
		q.TopK, q.MinScoreShare, q.FewerIfSubjectUnknown = DefaultTopK, ranking.MinScoreShare, true
		if q.SingleLines {
			q.TopK = briefTopK
		}
	}
	if q.TopK < 1 || q.TopK > MaxTopK {
		return message.Errorf("top_k must be a whole number from 1 to %d, got %d", MaxTopK, q.TopK)
	}
	return nil
}

// alsoWeight is the total weight of the other wordings, relative to 1 for the question. The models
// of hosts guess the words of documents well. Of 268 questions on sixteen real folders, asked with
// two or three wordings by a model, 260 have the answer among the first five and 225 have it first
// with this weight, 254 and 222 with weight 1, 259 and 224 with weight 3. Of 60 questions by
// another model it is 53 and 46 with this weight, 52 and 44 with weight 1. On 400 questions on the
// four open collections, nDCG@10 is .667 without wordings, .701 with weight 1 and .710 with weight
// 3; if two of three wordings belong to other questions, weight 3 loses .043. Combining by maximum
// (-.033) or reciprocal ranks (-.020) loses on every collection.
const alsoWeight = 2

// phrasings analyses and embeds the query. If the model does not answer in time, the words alone
// are used, and a note says so.
func (ix *Index) phrasings(ctx context.Context, q Query) ([]search.Phrasing, []notice.Note) {
	texts := []string{q.Text}
	for _, also := range q.OtherWordings {
		if also = strings.TrimSpace(also); also != "" {
			texts = append(texts, also)
		}
	}
	vectors, notes := ix.syncer.Embedding.EmbedQuestion(ctx, texts)
	out := make([]search.Phrasing, len(texts))
	for i, text := range texts {
		out[i] = search.Phrasing{Text: text, Weight: 1, Vector: vectors[i]}
		if i > 0 {
			out[i].Weight = alsoWeight / float64(len(texts)-1)
		}
		out[i].WithScoreReference = q.WithScoreReference
		if i < len(q.ScoreReference.Phrasings) {
			out[i].ScoreReference = &q.ScoreReference.Phrasings[i]
		}
	}
	return out, notes
}
