package index

import (
	"context"
	"slices"

	"vademecum/docs"
	"vademecum/docs/struck"
	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/notice"
	"vademecum/index/ranking"
	"vademecum/index/search"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// searchResult holds the passages that a query found, and what notes are made of.
type searchResult struct {
	passages   []Passage
	unknown    []string // words of the query that occur nowhere
	taken      []string // words that were taken for some of these
	covered    float64  // search.Result.BestCoverage
	lacking    bool     // the subject of the query occurs nowhere: see ranking.LacksSubject
	expansions []search.Expansion
	more       bool // there are passages on the next page
	before     int  // number of passages on the previous pages
	facets     Facets
	missing    bool // some documents were replaced during the search
	reference  ScoreReference

	// Set if there are no passages:
	why       []notice.Note // why the filter selects no document
	documents int           // number of all documents
	unread    int           // number of files that are not indexed, if there are no documents
	meant     int           // number of selected documents, if these are not all
}

// lacksWords reports whether the words that occur nowhere should be named. An answer that covers most of
// the question is no worse for lacking a word, because it may express the word differently; a missing
// number always matters.
func (s searchResult) lacksWords(question string) bool {
	return len(s.passages) == 0 || s.covered < ranking.LowCoverageThreshold || ranking.AreLargePartOf(s.unknown, question)
}

// mostWithNumber is the maximum length of a question, in units of analysis.ContentHalfWords, up to which a
// plain number that occurs nowhere is always named: a longer question describes a case with many numbers.
const mostWithNumber = 16

// numbersToReport returns the numbers in a question that occur nowhere.
func (s searchResult) numbersToReport(question string) []string {
	isShort := analysis.ContentHalfWords(question) <= mostWithNumber
	return slices.DeleteFunc(slices.Clone(s.unknown), func(word string) bool {
		return !analysis.NamesThingByNumber(word) || !isShort && !analysis.NamesSingleThing(word)
	})
}

// unknownNotes names the words of a question that occur nowhere, if the answer suffers from that.
func (s searchResult) unknownNotes(question string, soFar bool) []notice.Note {
	n := notice.Note{Kind: notice.UnknownWords, MayBeIncomplete: soFar}
	switch {
	case s.lacking:
		n.Kind, n.Words = notice.QuestionSubjectNotFound, s.unknown
	case len(s.unknown) > 0 && (s.lacksWords(question) || len(s.taken) > 0):
		n.Words = s.wordsToReport()
	default:
		n.Words = s.numbersToReport(question)
	}
	if len(n.Words) == 0 {
		return nil
	}
	for _, word := range s.taken {
		n.Details = append(n.Details, message.Message(present.CleanLine(word)))
	}
	return []notice.Note{n}
}

// wordsToReport returns the words that occur nowhere without common ones, such as "often" and "number", if the
// passages cover the question well without these.
func (s searchResult) wordsToReport() []string {
	if len(s.passages) == 0 || s.covered < ranking.LowCoverageThreshold {
		return s.unknown
	}
	return slices.DeleteFunc(slices.Clone(s.unknown), analysis.IsCommonWord)
}

// hasLowCoverage reports whether the passages cover so little of the question's words that other
// wordings may find more. With a semantic model only a lack of passages counts, because those that
// it finds need not contain the words.
func (s searchResult) hasLowCoverage(semantic bool) bool {
	return len(s.passages) == 0 || !semantic && s.covered < ranking.LowCoverageThreshold
}

// isFromAny reports whether a passage is from one of the documents.
func (s searchResult) isFromAny(ix *Index, documents []search.Location) bool {
	return slices.ContainsFunc(documents, func(at search.Location) bool {
		return slices.ContainsFunc(s.passages, func(p Passage) bool { return p.Document.Path == ix.folders.ShownPath(at) })
	})
}

// findPassages ranks candidates and reads their texts in a single view of the index.
func (ix *Index) findPassages(ctx context.Context, asked ranking.Question, q Query) (found searchResult, err error) {
	err = ix.store.View(ctx, func(ctx context.Context, v search.View) error {
		found, err = ix.findPassagesIn(ctx, v, asked, q)
		return err
	})
	return found, err
}

func (ix *Index) findPassagesIn(ctx context.Context, v search.View, asked ranking.Question, q Query) (searchResult, error) {
	asked.SimilarFolders = ix.sameNames.foldersOf(v)
	unknown, respelled, err := v.UnknownWords(ctx, q.Text)
	if err != nil {
		return searchResult{}, err
	}
	if !ix.store.ModelProperties.Semantic {
		asked.UnknownWords, asked.RespelledWords, asked.TreatsSimilarNamesAsUnknown = unknown, respelled, true
		if asked.UnknownWordsOfOtherPhrasings, err = otherUnknownWords(ctx, v, asked.Phrasings, unknown); err != nil {
			return searchResult{}, err
		}
	}
	r, err := ranking.Rank(ctx, v, asked)
	if err != nil {
		return searchResult{}, err
	}
	defer r.Release()
	if asked.TreatsSimilarNamesAsUnknown {
		unknown = r.UnknownWords
	}
	chosen := searchResult{passages: ix.readPassages(v, r), unknown: r.WithoutWordsInCompounds(unknown), taken: r.TakenWords(), covered: r.BestCoverage(), lacking: r.LacksSubject(), expansions: r.Expansions(), more: r.HasMore(), before: r.CountShownBefore(), missing: r.IsStale()}
	if q.WithScoreReference && len(chosen.passages) > 0 {
		chosen.reference = referenceOf(r)
	}
	if q.WithFacets {
		chosen.facets = ix.facets(r.Candidates())
	}
	if len(chosen.passages) == 0 {
		chosen.why, chosen.documents = ix.whyNone(v, q.Filter, asked.Filter), v.CountDocuments()
		if chosen.documents == 0 {
			chosen.unread = len(v.All())
		}
		if !asked.Filter.MatchesAll() {
			chosen.meant = len(v.Matching(asked.Filter))
		}
	}
	if q.WithExplanations {
		err = explainPassages(ctx, v, r, chosen.passages)
	}
	return chosen, err
}

// otherUnknownWords returns the words of each phrasing but the first that occur nowhere. They are needed only
// if the question has such words.
func otherUnknownWords(ctx context.Context, v search.View, phrasings []search.Phrasing, unknown []string) (all [][]string, err error) {
	if len(unknown) == 0 {
		return nil, nil
	}
	for _, p := range phrasings[1:] {
		words, _, err := v.UnknownWords(ctx, p.Text)
		if err != nil {
			return nil, err
		}
		all = append(all, words)
	}
	return all, nil
}

// referenceOf returns how the passages of a ranking were scored.
func referenceOf(r *ranking.Ranking) ScoreReference {
	ref := ScoreReference{Phrasings: slices.Clone(r.ScoreReferences()), BestScore: r.BestScore()}
	for _, p := range ref.Phrasings {
		ref.BestWordScore += p.BestWordScore
	}
	return ref
}

// readPassages converts the chosen chunks to passages.
func (ix *Index) readPassages(documents search.Documents, r *ranking.Ranking) []Passage {
	chosen := r.Passages()
	out := make([]Passage, 0, len(chosen))
	best := r.BestScore()
	seen := make(map[*search.Document]bool)
	for _, c := range chosen {
		d, body := ix.describe(c.Document), r.Body(c.Document)
		heading := c.Heading
		if len(heading) == 0 {
			heading = []string{d.Title}
		}
		var from []string
		if !seen[c.Document] {
			seen[c.Document], from = true, ix.linkingPaths(documents, c.Document)
		}
		p := Passage{
			Document: d, LinkedFrom: from, Span: c.Span, URI: docs.ReadableURI(d.URI) + "#" + body.URIFragment(c.Span),
			Text: withMarks(body.Text, c.Span), BestLine: c.BestLine, Place: body.Location(c.Span), Heading: heading, Score: ranking.ShareOfBest(c.Score, best),
			LexicalRank: c.LexicalRank, VectorRank: c.VectorRank, IsRelatedOnly: c.IsRelatedOnly, PageHasLittleText: hasLittleText(d, body, c.Span),
		}
		p.PlacesOfOmittedText = omittedPlaces(d.Path, body, c.OmittedSpans)
		p.Copies, p.MoreCopies = ix.citedPlaces(r, c.Copies)
		p.SimilarPlaces, p.MoreSimilarPlaces = ix.citedPlaces(r, c.SimilarChunks)
		p.SameLinePlaces, p.MoreSameLinePlaces = ix.citedPlaces(r, c.SameLineChunks)
		p.Translations, p.MoreTranslations = ix.versionPlaces(c.Versions)
		out = append(out, p)
	}
	return out
}

// withMarks returns a part of a document, with the marks of struck-out text that were cut off: otherwise words
// that are struck out would look as if they held.
func withMarks(document string, part text.Span) string {
	open, closing := struck.MissingMarksIn(document, part.StartByte, part.EndByte)
	return open + document[part.StartByte:part.EndByte] + closing
}

// citedPlaces returns the first places of chunks whose documents still exist, and the number of
// further ones.
func (ix *Index) citedPlaces(r *ranking.Ranking, chunks []search.Chunk) (places []notice.Place, more int) {
	named := chunks[:min(len(chunks), ranking.MaxListedCopies)]
	for _, c := range named {
		if body := r.Body(c.Document); body.Text != "" {
			places = append(places, notice.Place{Path: ix.folders.ShownPath(c.Document.Location()), Position: body.Location(c.Span)})
		}
	}
	return places, len(chunks) - len(named)
}

// versionPlaces lists the places of the first documents, and returns the number of further ones. They
// are versions of a document that represents them in the answer.
func (ix *Index) versionPlaces(of []*search.Document) (places []notice.Place, more int) {
	named := of[:min(len(of), ranking.MaxListedCopies)]
	for _, d := range named {
		places = append(places, notice.Place{Path: ix.folders.ShownPath(d.Location())})
	}
	return slices.Clip(places), len(of) - len(named)
}

// explainPassages explains the rank of each passage.
func explainPassages(ctx context.Context, v search.View, r *ranking.Ranking, passages []Passage) error {
	best := r.BestScore()
	for i, c := range r.Passages() {
		weights, err := v.Explain(ctx, r.Phrasings, c.Chunk)
		if err != nil {
			return err
		}
		why := notice.Explanation{Parts: ranking.PartScores(&c.Candidate, best)}
		for _, w := range weights {
			why.Terms = append(why.Terms, notice.WeightedTerm(w))
		}
		passages[i].Explanation = why
	}
	return nil
}

// omittedPlaces returns the places of text that a passage of a document leaves out. Several spans may have the
// same place, such as a page, which is named once.
func omittedPlaces(path string, body text.Body, spans []text.Span) (places []notice.Place) {
	for _, s := range spans {
		if p := (notice.Place{Path: path, Position: body.Location(s)}); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return places
}
