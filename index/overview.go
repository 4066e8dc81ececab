package index

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/docs/meta"
	"vademecum/index/notice"
	"vademecum/index/search"
)

// Overview describes what a running Index contains, and what it lacks.
type Overview struct {
	Status
	Contents
}

// Contents summarises the searchable documents: their kinds, languages, directories and dates,
// most frequent first.
type Contents struct {
	SearchableCount     int             // number of searchable documents
	Kinds               []DocumentCount // names of file formats, or else file extensions; "" if none
	Languages           []DocumentCount // ISO 639 codes; "" if unknown
	Directories         []DocumentCount // paths as shown, on the first two levels, with everything below counted
	FirstDate, LastDate meta.Date
	LatestDocuments     []Document // most recently changed documents, latest first, at most mostLatest
}

// mostLatest is the maximum length of Contents.LatestDocuments.
const mostLatest = 50

// DocumentCount is a name and the number of documents that have it.
type DocumentCount struct {
	Name      string
	Documents int
}

// Overview examines all documents. It reads no text and changes nothing.
func (ix *Index) Overview(ctx context.Context) (Overview, error) {
	o := Overview{Status: Status{Skipped: []notice.SkippedFile{}}}
	for i := range ix.folders {
		one, err := ix.syncer.DescribeFolder(ctx, i)
		if err != nil {
			return Overview{}, err
		}
		if ix.reranking != nil {
			one.RerankHost = cmp.Or(ix.reranking.Host(), one.RerankHost) // even before the first question
		}
		o.Folders = append(o.Folders, one)
	}
	o.Chunks, o.UnembeddedChunks = ix.store.CountChunks()
	refused, err := ix.refusedPassages(ctx)
	if err != nil {
		return Overview{}, err
	}
	o.RefusedPassages = refused
	for _, d := range ix.everyDocument() {
		o.addDocument(ix, d)
	}
	o.sort()
	if o.Contents, err = ix.Contents(ctx); err != nil {
		return Overview{}, err
	}
	o.Documents = o.SearchableCount
	return o, ctx.Err()
}

// Contents summarises all documents, again if they have changed. It reads no text and changes
// nothing.
func (ix *Index) Contents(ctx context.Context) (Contents, error) {
	return ix.contents.get(ix.store.ChangeNumber(), struct{}{}, func() (Contents, error) { return ix.newContents(ctx) })
}

func (ix *Index) newContents(ctx context.Context) (c Contents, err error) {
	extensions, directories := make(map[string]int), make(map[string]int)
	var latest []*search.Document
	var least time.Time // modification time of the last document that is needed
	for _, d := range ix.store.All() {
		if d.SkipReason != "" {
			continue
		}
		c.SearchableCount++
		extensions[path.Ext(d.Path)]++
		c.extendDates(d.EffectiveDate())
		if !d.Modified().Before(least) {
			if latest = append(latest, d); len(latest) == 20*mostLatest {
				latest = latestOf(latest)
				least = latest[mostLatest-1].Modified()
			}
		}
		for dir := range firstDirectories(ix.folders.ShownPath(d.Location())) {
			directories[dir]++
		}
	}
	kinds := make(map[string]int)
	for extension, n := range extensions {
		kinds[kindOf(extension)] += n
	}
	for _, d := range latestOf(latest) {
		c.LatestDocuments = append(c.LatestDocuments, ix.describe(d))
	}
	var languages map[string]int
	err = ix.store.View(ctx, func(ctx context.Context, v search.View) (err error) {
		languages, err = v.CountLanguages(ctx)
		return err
	})
	if err != nil {
		return Contents{}, fmt.Errorf("count languages: %w", err)
	}
	c.Kinds, c.Languages, c.Directories = sortedTallies(kinds), sortedTallies(languages), sortedTallies(directories)
	return c, ctx.Err()
}

// latestOf returns the most recently changed documents, latest first.
func latestOf(of []*search.Document) []*search.Document {
	slices.SortFunc(of, func(a, b *search.Document) int {
		return cmp.Or(b.Modified().Compare(a.Modified()), cmp.Compare(a.Path, b.Path))
	})
	return of[:min(len(of), mostLatest)]
}

// addDocument counts a document in the status, and lists it there if something is wrong with it.
func (s *Status) addDocument(ix *Index, d *search.Document) {
	encoding, isGuess := d.Charset()
	every := ix.syncer.RereadBackoff.ReadInterval(d.Location(), time.Now())
	if d.SkipReason == "" && d.ExtractionNote == "" && every == 0 && !isGuess {
		return
	}
	if docs.IsMissingConverterSkip(d.SkipReason) {
		s.UnconvertiblePictures++
	}
	if scans := docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason); docs.IsPicture(d.Path) {
		s.PicturesToRecognise += scans
	} else {
		s.PagesToRecognise += scans
	}
	shown := ix.folders.ShownPath(d.Location())
	if d.SkipReason != "" {
		s.Skipped = append(s.Skipped, notice.SkippedFile{Path: shown, Reason: ix.skipOf(d)})
	}
	note := d.ExtractionNote
	if docs.HasOCRNote(note) {
		s.RecognisedDocuments++
	}
	if docs.IsOCRCompleteNote(note) {
		note = ""
	}
	if remarks := notice.DocumentRemarks(note, every); remarks != "" {
		s.PartlyRead = append(s.PartlyRead, notice.SkippedFile{Path: shown, Reason: remarks})
	}
	if isGuess {
		s.GuessedEncodings = append(s.GuessedEncodings, GuessedEncoding{Path: shown, Encoding: encoding})
	}
}

// sort sorts the lists of the status by path.
func (s *Status) sort() {
	byPath := func(a, b notice.SkippedFile) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(s.Skipped, byPath)
	slices.SortFunc(s.PartlyRead, byPath)
	slices.SortFunc(s.GuessedEncodings, func(a, b GuessedEncoding) int { return cmp.Compare(a.Path, b.Path) })
}

// extendDates extends the range of dates to include a day, unless that is unknown.
func (c *Contents) extendDates(day meta.Date) {
	if day == 0 {
		return
	}
	if c.FirstDate == 0 || day < c.FirstDate {
		c.FirstDate = day
	}
	c.LastDate = max(c.LastDate, day)
}

// kindOf returns the kind of a file by its extension, or else the extension.
func kindOf(file string) string { return cmp.Or(formats.KindName(extension(file)), extension(file)) }

func extension(file string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(file), "."))
}

// firstDirectories yields the first two directories of a path.
func firstDirectories(shown string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for at, n := 0, 0; n < 2; n++ {
			next := strings.IndexByte(shown[at:], '/')
			if next < 0 || !yield(shown[:at+next]) {
				return
			}
			at += next + 1
		}
	}
}

func sortedTallies(of map[string]int) []DocumentCount {
	all := make([]DocumentCount, 0, len(of))
	for name, n := range of {
		all = append(all, DocumentCount{name, n})
	}
	slices.SortFunc(all, func(a, b DocumentCount) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Name, b.Name))
	})
	return all
}
