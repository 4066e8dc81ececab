// Package searchtest has the test suite that every search.Searcher must pass. The tests of each
// implementation run it.
package searchtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/script"
)

// Document is a document of a library, with its text.
type Document struct {
	catalog.Record
	Body text.Body
}

// Library is the data to be searched: the documents of each folder, and the vectors of their chunks
// by a model.
type Library struct {
	Folders [][]Document
	Vectors map[catalog.EmbeddingKey][]float32
}

// add adds a document to a folder, with one chunk for each paragraph. vectors are those of the
// chunks, beginning with the first.
func (l *Library) add(folder int, path string, paragraphs []string, vectors ...[]float32) {
	d := Document{Record: catalog.Record{Path: path, Title: "Untitled"}, Body: text.Body{Text: strings.Join(paragraphs, "\n")}}
	if len(paragraphs) == 0 {
		d.SkipReason = "it is empty"
	}
	at := 0
	for i, p := range paragraphs {
		key := catalog.EmbeddingKey{byte(folder), byte(len(l.Folders[folder])), byte(i + 1)}
		d.Chunks = append(d.Chunks, catalog.Chunk{
			Span: text.Span{StartByte: at, EndByte: at + len(p), StartLine: i + 1, EndLine: i + 1}, Heading: []string{"Part"},
			Key: key, ContentHash: rank.ChunkTextHashOf(p), Terms: analysis.CountTerms(analysis.ChunkNames{}, p), Traits: kind.Traits{Language: languageOf[path], IsProseLanguageCertain: languageOf[path] != guessed},
		})
		if i < len(vectors) {
			l.Vectors[key] = vectors[i]
		}
		at += len(p) + 1
	}
	l.Folders[folder] = append(l.Folders[folder], d)
}

// languageOf holds the languages of the documents that have one.
var languageOf = map[string]script.Language{"heart.md": script.LanguageByCode("en"), "血压.md": script.LanguageByCode("zh"), "copy.md": guessed}

// guessed is a language that is never certain.
var guessed = script.LanguageByCode("cs")

// twoFolders returns two folders: notes, some of which have vectors, and copies of them.
func twoFolders() Library {
	l := Library{Folders: make([][]Document, 2), Vectors: make(map[catalog.EmbeddingKey][]float32)}
	l.add(0, "heart.md", []string{"warfarin thins blood", "aspirin thins blood too"}, []float32{0.8, 0.6}, []float32{0.6, 0.8})
	l.add(0, "lung.md", []string{"asthma needs an inhaler", "warfarin once, with asthma"}, []float32{0, 1})
	l.add(0, "skipped.md", nil)
	l.add(1, "copy.md", []string{"Warfarin thins blood.", "something else"}, []float32{1, 0})
	l.add(1, "血压.md", []string{"高血压患者饮食要注意什么"})
	return l
}

// Test runs the suite. open must return a searcher for a library.
func Test(t *testing.T, open func(t *testing.T, l Library) search.Searcher) {
	s := open(t, twoFolders())
	for name, test := range map[string]func(*testing.T, search.Searcher){
		"words":                       testWords,
		"what is found can be read":   testBodies,
		"vectors":                     testVectors,
		"both, and several phrasings": testPhrasings,
		"only what the filter admits": testFilters,
		"copies":                      testCopies,
		"words that are nowhere":      testUnknown,
		"words written like others":   testSimilarWords,
		"words that chunks have":      testWordWeights,
		"languages":                   testLanguages,
		"documents of a view":         testDocuments,
		"why a chunk is found":        testExplain,
		"a question that is given up": testCancelled,
		"the same whoever asks":       testConcurrent,
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
	t.Run("filters by what documents say", func(t *testing.T) { testConditions(t, open) })
	t.Run("names and links", func(t *testing.T) { testLinks(t, open) })
	t.Run("nothing", func(t *testing.T) {
		empty := open(t, Library{Folders: make([][]Document, 1)})
		if got := formatFound(t, empty, all, search.Phrasing{Text: "warfarin", Weight: 1}); got != "" {
			t.Errorf("an empty library has %s", got)
		}
	})
}

// all is a filter that admits everything.
var all search.Filter

// searchTen calls Search for ten chunks.
func searchTen(t *testing.T, s search.Searcher, only search.Filter, phrasings ...search.Phrasing) search.Result {
	t.Helper()
	var f search.Result
	mustView(t, s, func(v search.View) (err error) {
		f, err = v.Search(t.Context(), phrasings, only, 10)
		return err
	})
	return f
}

// mustView calls f with a view, and fails the test if there is none or f returns an error.
func mustView(t *testing.T, s search.Searcher, f func(search.View) error) {
	t.Helper()
	if err := s.View(t.Context(), func(_ context.Context, v search.View) error { return f(v) }); err != nil {
		t.Fatal(err)
	}
}

// formatFound lists the chunks found by folder, path and number.
func formatFound(t *testing.T, s search.Searcher, only search.Filter, phrasings ...search.Phrasing) string {
	t.Helper()
	var places []string
	for _, c := range searchTen(t, s, only, phrasings...).Candidates {
		if !c.IsRelatedOnly {
			places = append(places, formatLocation(c.Chunk))
		}
	}
	return strings.Join(places, " ")
}

func formatLocation(c search.Chunk) string {
	return fmt.Sprintf("%d/%s:%d", c.Document.Folder, c.Document.Path, c.Number)
}

func testWords(t *testing.T, s search.Searcher) {
	f := searchTen(t, s, all, search.Phrasing{Text: "aspirin blood", Weight: 1})
	best := f.Candidates[0]
	if formatLocation(best.Chunk) != "0/heart.md:1" || best.LexicalRank != 1 || best.VectorRank != 0 || best.Score <= f.Candidates[1].Score {
		t.Errorf("found %+v", f.Candidates)
	}
	if f.BestCoverage < 0.5 {
		t.Errorf("all words cover %.2f", f.BestCoverage)
	}
	if part := searchTen(t, s, all, search.Phrasing{Text: "inhaler zebra giraffe okapi", Weight: 1}); part.BestCoverage >= f.BestCoverage || len(part.Candidates) != 1 {
		t.Errorf("one word of four covers %.2f of %+v", part.BestCoverage, part.Candidates)
	}
	if got := formatFound(t, s, all, search.Phrasing{Text: "高血压饮食", Weight: 1}); got != "1/血压.md:0" {
		t.Errorf("in Chinese: %s", got)
	}
}

func testBodies(t *testing.T, s search.Searcher) {
	c := searchTen(t, s, all, search.Phrasing{Text: "inhaler", Weight: 1}).Candidates[0]
	other := *c.Document
	common := *other.InternedFields
	common.CatalogID += 1_000_000
	other.InternedFields = &common
	var bodies map[*search.Document]text.Body
	mustView(t, s, func(v search.View) (err error) {
		bodies, err = v.LoadBodies(t.Context(), []*search.Document{c.Document, &other})
		return err
	})
	body, ok := bodies[c.Document]
	if !ok || body.Text[c.Span.StartByte:c.Span.EndByte] != "asthma needs an inhaler" {
		t.Errorf("read %+v, %t", body, ok)
	}
	if body, ok := bodies[&other]; ok {
		t.Errorf("the row of another catalogue: %+v", body)
	}
	if c.Span.StartLine != 1 || !slices.Equal(c.Heading, []string{"Part"}) || c.Document.Title != "Untitled" || c.Document.Location() != (search.Location{Folder: 0, Path: "lung.md"}) {
		t.Errorf("found %+v of %+v", c, c.Document)
	}
}

func testVectors(t *testing.T, s search.Searcher) {
	f := searchTen(t, s, all, search.Phrasing{Text: "giraffe", Weight: 1, Vector: []float32{0, 1}})
	if len(f.Candidates) == 0 || formatLocation(f.Candidates[0].Chunk) != "0/lung.md:0" || f.Candidates[0].VectorRank != 1 || f.Candidates[0].LexicalRank != 0 {
		t.Errorf("by meaning alone: %+v", f.Candidates)
	}
	if got := formatFound(t, s, all, search.Phrasing{Text: "giraffe", Weight: 1, Vector: []float32{0, 1, 0}}); got != "" {
		t.Errorf("a vector of another length finds %s", got)
	}
}

func testPhrasings(t *testing.T, s search.Searcher) {
	one := search.Phrasing{Text: "warfarin", Weight: 1}
	if got := formatFound(t, s, all, one, search.Phrasing{Text: "asthma", Weight: 1}); !strings.HasPrefix(got, "0/lung.md:1 ") {
		t.Errorf("what both find is not first: %s", got)
	}
	light := searchTen(t, s, all, one, search.Phrasing{Text: "inhaler", Weight: 0.1})
	if last := light.Candidates[len(light.Candidates)-1]; formatLocation(last.Chunk) != "0/lung.md:0" {
		t.Errorf("the light one is not last: %+v", light.Candidates)
	}
	// Among copies, the one that is best by words and by meaning counts.
	if got := formatFound(t, s, all, search.Phrasing{Text: "warfarin", Weight: 1, Vector: []float32{1, 0}}); !strings.Contains(got, "1/copy.md:0") || strings.Contains(got, "0/heart.md:0") {
		t.Errorf("by words and meaning: %s", got)
	}
}

func testFilters(t *testing.T, s search.Searcher) {
	question := search.Phrasing{Text: "warfarin", Weight: 1, Vector: []float32{1, 0}}
	only := func(folder int, path string) search.Filter {
		return search.Filter{Locations: map[search.Location]bool{{Folder: folder, Path: path}: true}}
	}
	if got := formatFound(t, s, only(0, "lung.md"), question); got != "0/lung.md:1" && got != "0/lung.md:1 0/lung.md:0" {
		t.Errorf("in one document: %s", got)
	}
	if got := formatFound(t, s, only(1, "copy.md"), search.Phrasing{Text: "warfarin", Weight: 1}); got != "1/copy.md:0" {
		t.Errorf("in the copy: %s", got)
	}
	for name, none := range map[string]search.Filter{"none": {Locations: map[search.Location]bool{}}, "one that there is not": only(1, "heart.md"), "a skipped one": only(0, "skipped.md")} {
		if got := formatFound(t, s, none, question); got != "" {
			t.Errorf("in %s: %s", name, got)
		}
	}
}

func testCopies(t *testing.T, s search.Searcher) {
	if got := formatFound(t, s, all, search.Phrasing{Text: "warfarin thins blood", Weight: 1}); strings.Count(got, ":0") != 1 || !strings.HasPrefix(got, "0/heart.md:0 ") {
		t.Errorf("copies are not one: %s", got)
	}
	of := map[rank.ChunkTextHash]bool{rank.ChunkTextHashOf("warfarin thins blood"): true}
	show := func(only search.Filter) string {
		var places []string
		mustView(t, s, func(v search.View) error {
			copies, err := v.AppendCopies(t.Context(), nil, of, only)
			for _, c := range copies {
				places = append(places, formatLocation(c))
			}
			return err
		})
		return strings.Join(places, " ")
	}
	if got := show(all); got != "0/heart.md:0 1/copy.md:0" {
		t.Errorf("copies are %s", got)
	}
	if got := show(search.Filter{Locations: map[search.Location]bool{{Folder: 1, Path: "copy.md"}: true}}); got != "1/copy.md:0" {
		t.Errorf("copies that may answer are %s", got)
	}
}

func testUnknown(t *testing.T, s search.Searcher) {
	// searched for before in the same view
	for _, before := range []string{"", "zebra inhaler", "something else"} {
		mustView(t, s, func(v search.View) error {
			if before != "" {
				if _, err := v.Search(t.Context(), []search.Phrasing{{Text: before, Weight: 1}}, all, 10); err != nil {
					return err
				}
			}
			got, respelled, err := v.UnknownWords(t.Context(), "zebra warfarin inhaler okapi waerfarin")
			if !slices.Equal(got, []string{"zebra", "okapi"}) || !slices.Equal(respelled, []string{"waerfarin"}) {
				t.Errorf("unknown after %q are %q, and without umlauts %q", before, got, respelled)
			}
			return err
		})
	}
}

// testLanguages tests that a document has the language of its first chunk, if that is certain.
func testLanguages(t *testing.T, s search.Searcher) {
	mustView(t, s, func(v search.View) error {
		got, err := v.CountLanguages(t.Context())
		if fmt.Sprint(got) != "map[:2 en:1 zh:1]" {
			t.Errorf("languages are %v", got)
		}
		return err
	})
}

// testDocuments tests that a view reports the same documents as the searcher.
func testDocuments(t *testing.T, s search.Searcher) {
	mustView(t, s, func(v search.View) error {
		for who, d := range map[string]search.Documents{"the view": v, "the searcher": s} {
			chunks, _ := d.CountChunks()
			if d.CountDocuments() != 4 || len(d.All()) != 5 || chunks != 7 {
				t.Errorf("%s has %d searchable documents of %d, with %d chunks", who, d.CountDocuments(), len(d.All()), chunks)
			}
			at := search.Location{Folder: 1, Path: "copy.md"}
			if one, ok := d.Document(at); !ok || one.Location() != at {
				t.Errorf("%s has %v at %v", who, one, at)
			}
			if found, ok := d.FindEquivalentLocation(search.Location{Folder: 0, Path: "copy.md"}); ok {
				t.Errorf("%s has %v for a path of another folder", who, found)
			}
			skipped := search.Filter{Locations: map[search.Location]bool{{Folder: 0, Path: "skipped.md"}: true}}
			if d.HasSearchableDocuments(skipped) || !d.HasSearchableDocuments(all) {
				t.Errorf("%s has what is skipped, or nothing", who)
			}
		}
		return nil
	})
}

// testSimilarWords tests that words are returned that count because they are spelled like a word of
// the query.
func testSimilarWords(t *testing.T, s search.Searcher) {
	for question, want := range map[string]string{"astma inhaler": "[{astma asthma true true false}]", "inhaler": "[]", "warfarins thin": "[]"} {
		if got := fmt.Sprint(searchTen(t, s, all, search.Phrasing{Text: question, Weight: 1}).Expansions); got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// testWordWeights tests that the words of the phrasings that chunks contain are returned with their
// weights, which are higher for rarer words.
func testWordWeights(t *testing.T, s search.Searcher) {
	weights := make(map[string]float64)
	for _, w := range searchTen(t, s, all, search.Phrasing{Text: "the inhalers", Weight: 1}, search.Phrasing{Text: "warfarin zebra", Weight: 0.5}).Words {
		weights[w.Forms[0]] = w.Weight
	}
	if len(weights) != 2 || weights["inhal"] <= weights["warfarin"] || weights["warfarin"] <= 0 {
		t.Errorf("they are %v", weights)
	}
}

// testExplain tests that the parts of a score add up to it, and that the terms are those of the
// query that the chunk has.
func testExplain(t *testing.T, s search.Searcher) {
	question := search.Phrasing{Text: "warfarin inhaler zebra", Weight: 1, Vector: []float32{0.6, 0.8}}
	for _, c := range searchTen(t, s, all, question).Candidates {
		sum := 0.0
		for _, p := range c.Parts {
			sum += p
		}
		if !c.IsRelatedOnly && math.Abs(sum-c.Score) > 1e-6 {
			t.Errorf("%s has %.4f, of the parts %v", formatLocation(c.Chunk), c.Score, c.Parts)
		}
	}
	best := searchTen(t, s, all, search.Phrasing{Text: "inhaler zebra", Weight: 1}).Candidates[0]
	explained := func(c search.Chunk) (terms []search.TermWeight, err error) {
		err = s.View(t.Context(), func(ctx context.Context, v search.View) (err error) {
			terms, err = v.Explain(ctx, []search.Phrasing{question}, c)
			return err
		})
		return terms, err
	}
	terms, err := explained(best.Chunk)
	if err != nil || len(terms) != 1 || terms[0] != (search.TermWeight{Term: "inhal", WordScoreShare: 1}) {
		t.Errorf("%s is found for %v, %v", formatLocation(best.Chunk), terms, err)
	}
	gone := best.Chunk
	gone.Number = 1000
	if terms, err := explained(gone); err != nil || len(terms) != 0 {
		t.Errorf("a chunk that is gone is found for %v, %v", terms, err)
	}
}

func testCancelled(t *testing.T, s search.Searcher) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.View(ctx, func(ctx context.Context, v search.View) error {
		_, err := v.Search(ctx, []search.Phrasing{{Text: "warfarin", Weight: 1}, {Text: "asthma", Weight: 1}}, all, 10)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// testConcurrent tests many concurrent searches.
func testConcurrent(t *testing.T, s search.Searcher) {
	question := search.Phrasing{Text: "warfarin asthma", Weight: 1, Vector: []float32{0.6, 0.8}}
	want := formatFound(t, s, all, question)
	answers := make(chan string, 8)
	for range cap(answers) {
		go func() { answers <- formatFound(t, s, all, question) }()
	}
	for range cap(answers) {
		if got := <-answers; got != want || got == "" {
			t.Errorf("found %s, want %s", got, want)
		}
	}
}
