package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/meta"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Filter selects the documents that meet all of its conditions. The zero value selects all.
type Filter struct {
	Path       string // a glob for the paths of documents as shown; "" means all
	LinksTo    string // path or name of a document: selects the documents that link to it
	LinkedFrom string // path or name of a document: selects the documents that it links to
	// lower-case file extensions without the dot, one of which the document must have; empty means
	// any
	Extensions      []string
	meta.Conditions // conditions on the metadata of documents
}

// searchFilter converts the filter for a searcher.
func (ix *Index) searchFilter(ctx context.Context, f Filter) (search.Filter, error) {
	places, err := ix.matchLocations(ctx, f.Path)
	if len(f.Extensions) > 0 && err == nil {
		places = ix.withExtensions(places, f.Extensions)
	}
	if err == nil {
		places, err = ix.filterByLinks(ctx, places, f)
	}
	return search.Filter{Locations: places, Conditions: f.Conditions}, err
}

// withExtensions returns the locations, among the given ones or among all if of is nil, whose names
// have one of the extensions.
func (ix *Index) withExtensions(of map[search.Location]bool, types []string) map[search.Location]bool {
	some := make(map[search.Location]bool)
	for _, d := range ix.everyDocument() {
		if at := d.Location(); (of == nil || of[at]) && slices.Contains(types, extension(d.Path)) {
			some[at] = true
		}
	}
	return some
}

// fileGlob describes the selected files as a glob.
func (f Filter) fileGlob() string {
	if len(f.Extensions) == 0 {
		return f.Path
	}
	return strings.TrimPrefix(f.Path+"/*.{"+strings.Join(f.Extensions, ",")+"}", "/")
}

// TagCount is a tag and the number of documents that have it or a tag nested in it.
type TagCount struct {
	Tag       string
	Documents int
}

// Tags lists the tags of the documents that a filter selects, most frequent first.
func (ix *Index) Tags(ctx context.Context, f Filter) ([]TagCount, error) {
	only, err := ix.searchFilter(ctx, f)
	if err != nil {
		return nil, err
	}
	if !only.MatchesAll() {
		return ix.countTags(only)
	}
	all, err := ix.tags.get(ix.store.ChangeNumber(), struct{}{}, func() ([]TagCount, error) { return ix.countTags(only) })
	return slices.Clone(all), err
}

func (ix *Index) countTags(only search.Filter) ([]TagCount, error) {
	all := []TagCount{}
	for _, c := range sortByCount(ix.store.Tags(only)) {
		all = append(all, TagCount{c.Value, c.Documents})
	}
	return all, nil
}

func sortByCount(counts []search.ValueCount) []search.ValueCount {
	slices.SortFunc(counts, func(a, b search.ValueCount) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Value, b.Value))
	})
	return counts
}

// ExplainNoMatch explains why a filter selects no document: which condition no document meets, and what
// values documents have instead. If the filter selects some, it only reports whether the path was
// matched with a part of theirs.
func (ix *Index) ExplainNoMatch(ctx context.Context, f Filter) ([]notice.Note, error) {
	only, err := ix.searchFilter(ctx, f)
	if err != nil {
		return nil, err
	}
	if ix.isOnlyInPart(ctx, f.Path, only.Locations) {
		return []notice.Note{ix.pathElsewhereNote(f.Path, only.Locations)}, nil
	}
	return markIncomplete(ix.whyNone(ix.store, f, only), ix.syncer.Freshness().MayMissDocuments()), nil
}

// pathElsewhereNote says that no document has the path, and which folders match it in part.
func (ix *Index) pathElsewhereNote(given string, meant map[search.Location]bool) notice.Note {
	const most = 3
	wanted := glob.Parse(given).BasePath()
	folders := make(map[string]bool)
	for at := range meant {
		shown := "/" + ix.folders.ShownPath(at)
		if i := strings.Index(shown, "/"+wanted+"/"); i >= 0 && wanted != "." {
			folders[strings.TrimPrefix(shown[:i+1+len(wanted)], "/")] = true
		} else {
			folders[shown[1:]] = true
		}
	}
	names := slices.Sorted(maps.Keys(folders))
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return notice.Note{Kind: notice.PathMatchedDeeper, Path: given, Words: names}
}

// markIncomplete marks notes if there may be more documents than are indexed.
func markIncomplete(notes []notice.Note, more bool) []notice.Note {
	for i := range notes {
		notes[i].MayBeIncomplete = more
	}
	return notes
}

// whyNone returns the notes of ExplainNoMatch before they are marked by markIncomplete.
func (ix *Index) whyNone(docs search.Documents, f Filter, only search.Filter) []notice.Note {
	if only.MatchesAll() || docs.HasSearchableDocuments(only) {
		return nil
	}
	if only.Locations != nil && !docs.HasSearchableDocuments(search.Filter{Locations: only.Locations}) {
		if f.LinksTo+f.LinkedFrom != "" {
			return []notice.Note{{Kind: notice.NoDocumentWithLink, Path: f.LinksTo, Details: []message.Message{message.Message(f.LinkedFrom)}}}
		}
		return ix.noPathNotes(docs, f, only.Locations)
	}
	var notes []notice.Note
	var parts []message.Message
	for _, c := range f.Conditions {
		n := len(docs.Matching(search.Filter{Conditions: meta.Conditions{c}}))
		if n == 0 {
			notes = append(notes, ix.noneFulfilsNote(docs, c))
		}
		parts = append(parts, message.New("%v (%d)", c.Message(), n))
	}
	if len(notes) > 0 {
		return notes
	}
	// some document meets each condition, but none meets all of them
	return []notice.Note{{Kind: notice.NoDocumentMeetsAll, Path: f.fileGlob(), Details: parts}}
}

// noPathNotes says that no document has the path, or why the files that have it are not indexed.
func (ix *Index) noPathNotes(docs search.Documents, f Filter, meant map[search.Location]bool) []notice.Note {
	var unread []notice.Note
	for _, d := range docs.All() {
		if d.SkipReason != "" && meant[d.Location()] {
			unread = append(unread, notice.Note{Kind: notice.NamedFileNotIndexed, Path: ix.folders.ShownPath(d.Location()), Why: ix.skipOf(d)})
		}
	}
	slices.SortFunc(unread, func(a, b notice.Note) int { return cmp.Compare(a.Path, b.Path) })
	if n := len(unread); n > 0 && n <= mostNamed {
		return unread
	}
	none := notice.Note{Kind: notice.NoDocumentAtPath, Path: f.fileGlob(), Words: ix.nearPaths(docs, f.Path)}
	return append([]notice.Note{none}, unread[:min(mostNamed, len(unread))]...)
}

// nearPaths returns the first paths whose names contain the name in a path that no document has.
func (ix *Index) nearPaths(docs search.Documents, given string) []string {
	name := meta.Fold(strings.TrimSuffix(path.Base(given), path.Ext(given)))
	if utf8.RuneCountInString(name) < 2 || strings.ContainsAny(name, "*?[{") {
		return nil
	}
	var near []string
	for _, d := range docs.All() {
		if shown := ix.folders.ShownPath(d.Location()); strings.Contains(meta.Fold(path.Base(shown)), name) {
			near = append(near, shown)
		}
	}
	slices.Sort(near)
	return near[:min(mostNamed, len(near))]
}

// dateSpan returns the first and the last date of the documents.
func dateSpan(docs search.Documents) (first, last meta.Date) {
	for _, d := range docs.All() {
		days := []meta.DateRange{{First: d.EffectiveDate(), Last: d.EffectiveDate()}}
		if len(d.Meta.ChunkDates) > 0 {
			days = d.Meta.ChunkDates
		}
		for _, own := range days {
			if first == 0 || own.First != 0 && own.First < first {
				first = own.First
			}
			last = max(last, own.Last)
		}
	}
	return first, last
}

// similarNames lists up to five names from counts: those similar to the given one, or else the most
// frequent.
func similarNames(given string, counts []search.ValueCount) []string {
	const most = 5
	given = meta.Fold(given)
	far := make(map[string]int)
	for _, c := range counts {
		if n, ok := nameDistance(given, meta.Fold(c.Value)); ok {
			far[c.Value] = n
		}
	}
	counts = sortByCount(counts)
	if len(far) > 0 {
		counts = slices.DeleteFunc(counts, func(c search.ValueCount) bool { _, near := far[c.Value]; return !near })
		slices.SortStableFunc(counts, func(a, b search.ValueCount) int { return cmp.Compare(far[a.Value], far[b.Value]) })
	}
	var names []string
	for _, c := range counts[:min(most, len(counts))] {
		names = append(names, fmt.Sprintf("%s (%d)", c.Value, c.Documents))
	}
	return names
}

// nameDistance returns how different two names are; ok is false if they are not similar. A name
// that contains the other, as a whole or in its last part, is close.
func nameDistance(given, name string) (n int, ok bool) {
	last := name[strings.LastIndexByte(name, '/')+1:]
	nested := last != name
	if nested && last == given {
		return 0, true
	}
	if n, ok := present.TypoCount(given, name); ok {
		return n, true
	}
	if n, ok := present.TypoCount(given, last); nested && ok {
		return n + 1, true
	}
	if len(given) > 1 && len(name) > 1 && (strings.Contains(name, given) || strings.Contains(given, name)) {
		return 3, true
	}
	return 0, false
}

// FrontMatterValues lists the values of a key of front matter, in order; or the keys, if key is "".
func (ix *Index) FrontMatterValues(key string) []string {
	counts := ix.store.FrontMatterKeys()
	if key != "" {
		counts = ix.store.FrontMatterValues(key)
	}
	names := make(map[string]bool, len(counts))
	for _, c := range counts {
		names[c.Value] = true
	}
	return slices.Sorted(maps.Keys(names))
}
