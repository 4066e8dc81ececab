package index

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vademecum/docs/meta"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
)

// Document describes a document of the index, without its text.
type Document struct {
	// as shown: relative to its folder, after the folder's name if there are several folders
	Path              string
	URI               string // file URI, or vademecum:text/<hash> for a text that a client sent
	Title             string
	MIME              string // MIME type of the file
	TextMIME          string // MIME type of its text
	Size              int64  // bytes on disk
	Modified          time.Time
	Hash              [32]byte // SHA-256 of the bytes on disk
	Chunks            int
	Encoding          string          // encoding of the file; "" for UTF-8
	IsEncodingGuessed bool            // the encoding was guessed, because nothing in the file states it
	ExtractionNote    message.Message // what part of the file is missing from its text; "" if nothing
	// how often the file is read, because it changes constantly; 0 if after each change
	ReadInterval  time.Duration
	SkipReason    message.Message // why it is not indexed; "" if it is
	Tags          []string        // without #
	Date          meta.Date       // stated in its front matter; 0 if none
	EffectiveDate meta.Date       // Date, or else the date in its name or that of its file
}

// dividedWord ends a line whose last word continues on the next line: readers of paged formats
// insert this soft hyphen.
const dividedWord = "\u00ad"

// JoinDividedWords returns text of a document for reading: words divided between two lines are joined on the
// first line. The text of a plain text file is returned unchanged.
func (d Document) JoinDividedWords(text string) string {
	if d.MIME == d.TextMIME || !strings.Contains(text, dividedWord) {
		return text
	}
	var out strings.Builder
	for {
		before, after, isDivided := strings.Cut(text, dividedWord+"\n")
		out.WriteString(before)
		if !isDivided {
			break
		}
		after = strings.TrimLeft(after, " \t")
		end := strings.IndexAny(after, " \t\n")
		switch {
		case end == 0 || after == "":
			out.WriteString("-\n")
			text = after
		case end > 0 && after[end] != '\n':
			out.WriteString(after[:end] + "\n")
			text = strings.TrimLeft(after[end:], " \t")
		default: // the rest of the word fills the line, and may be divided again
			text = after
		}
	}
	if whole, isDivided := strings.CutSuffix(out.String(), dividedWord); isDivided {
		return whole + "-"
	}
	return out.String()
}

// ErrNotFound is matched by errors about documents that are not in the index.
var ErrNotFound = message.Errorf("no such document")

// ErrNotIndexedYet is matched by errors about files that are not indexed yet.
var ErrNotIndexedYet = message.Errorf("it is not indexed yet: ask again")

// List lists the documents that a filter selects, by path, including the skipped ones.
func (ix *Index) List(ctx context.Context, f Filter) ([]Document, error) {
	only, err := ix.searchFilter(ctx, f)
	if err != nil {
		return nil, err
	}
	return ix.listDocuments(only), nil
}

func (ix *Index) listDocuments(only search.Filter) []Document {
	all := []Document{}
	for _, d := range ix.store.Matching(only) {
		all = append(all, ix.describe(d))
	}
	conditions := only.Conditions.Folded()
	for _, d := range ix.syncer.UnreadDocuments() {
		if (only.Locations == nil || only.Locations[d.Location()]) && conditions.Match(*d.Meta, d.EffectiveDate()) {
			all = append(all, ix.describe(d))
		}
	}
	slices.SortFunc(all, func(a, b Document) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// ListAfter lists the next searchable documents after a path, at most limit, in the order of paths.
// It describes only these, so that all documents can be listed page by page.
func (ix *Index) ListAfter(ctx context.Context, afterPath string, limit int) ([]Document, error) {
	type shown struct {
		path string
		*search.Document
	}
	if limit < 1 {
		return nil, ctx.Err()
	}
	var first []shown
	last := ""
	cut := func() {
		slices.SortFunc(first, func(a, b shown) int { return cmp.Compare(a.path, b.path) })
		if len(first) >= limit {
			first = first[:limit]
			last = first[limit-1].path
		}
	}
	for _, d := range ix.store.Matching(search.Filter{}) {
		path := ix.folders.ShownPath(d.Location())
		if d.SkipReason != "" || path <= afterPath || last != "" && path > last {
			continue
		}
		if first = append(first, shown{path, d}); len(first) == 2*limit {
			cut()
		}
	}
	cut()
	page := make([]Document, len(first))
	for i, d := range first {
		page[i] = ix.describe(d.Document)
	}
	return page, ctx.Err()
}

// everyDocument lists all documents, including those that are not read yet.
func (ix *Index) everyDocument() []*search.Document {
	return append(ix.store.All(), ix.syncer.UnreadDocuments()...)
}

// matchLocations returns the locations of the documents that a glob selects now; nil, meaning all,
// for "". The glob is matched with the path as shown and with the path in the folder, see
// isOnlyShownPath; an absolute path selects exactly what it names. The path of a document or folder
// selects only that one, and not others of the same name elsewhere. A glob that does not match from
// the top is matched with parts of paths: "blog" with "content/blog". The address of a part of a
// document, such as "a.pdf#page=3", selects the document. If nothing else matches, variant spellings
// do: "*陈*" selects "陳玄禮.md"; then names without extension.
func (ix *Index) matchLocations(ctx context.Context, pattern string) (map[search.Location]bool, error) {
	g, err := roots.ParsePathGlob(pattern)
	if g == nil {
		return nil, err
	}
	meant, err := ix.matchLocationsOnce(ctx, g)
	if err != nil || len(meant) > 0 {
		return meant, err
	}
	for _, anywhere := range g.InAnyFolder() {
		some, err := ix.matchLocationsOnce(ctx, anywhere)
		if err != nil {
			return nil, err
		}
		maps.Copy(meant, some)
	}
	if len(meant) > 0 {
		return meant, nil
	}
	if part := ix.findCitedPart(ctx, pattern); part != nil {
		meant[part.document.Location()] = true
		return meant, nil
	}
	if filepath.IsAbs(filepath.FromSlash(pattern)) {
		return meant, nil
	}
	if meant = ix.matchFoldedPaths(pattern); len(meant) == 0 && g.IsPath() {
		meant = ix.matchWithoutExtension(pattern)
	}
	return meant, nil
}

// matchWithoutExtension returns the locations of the documents whose paths end in the given one, when
// both are folded, but for their extensions: "belmont" selects "bylaws/belmont.pdf".
func (ix *Index) matchWithoutExtension(given string) map[search.Location]bool {
	meant, end := make(map[search.Location]bool), "/"+strings.Trim(meta.Fold(given), "/")
	for _, d := range ix.everyDocument() {
		at := d.Location()
		shown := meta.Fold(ix.folders.ShownPath(at))
		if strings.HasSuffix("/"+strings.TrimSuffix(shown, path.Ext(shown)), end) {
			meant[at] = true
		}
	}
	return meant
}

// matchFoldedPaths returns the locations of the documents whose paths match a glob when both are
// folded.
func (ix *Index) matchFoldedPaths(pattern string) map[search.Location]bool {
	meant, folded := make(map[search.Location]bool), glob.Parse(meta.Fold(pattern))
	for _, d := range ix.everyDocument() {
		at := d.Location()
		if folded.Match(meta.Fold(ix.folders.ShownPath(at))) || folded.Match(meta.Fold(d.Path)) {
			meant[at] = true
		}
	}
	return meant
}

// isOnlyInPart reports whether a glob selects the documents in meant only because it matches a part
// of the path of each: it matches no path from the top.
func (ix *Index) isOnlyInPart(ctx context.Context, pattern string, meant map[search.Location]bool) bool {
	g, err := roots.ParsePathGlob(pattern)
	if err != nil || g == nil || len(meant) == 0 {
		return false
	}
	below, err := ix.matchLocationsOnce(ctx, g)
	return err == nil && len(below) == 0 && ix.findCitedPart(ctx, pattern) == nil && !ix.isFoldedPathFromTop(pattern)
}

// isFoldedPathFromTop reports whether a glob matches a whole path as shown, when both are folded.
func (ix *Index) isFoldedPathFromTop(pattern string) bool {
	folded := glob.Parse(meta.Fold(pattern))
	return slices.ContainsFunc(ix.everyDocument(), func(d *search.Document) bool {
		return folded.Match(meta.Fold(ix.folders.ShownPath(d.Location())))
	})
}

// matchLocationsOnce returns the locations of the documents whose paths match a glob from the top,
// none if there are none. The path of a document or folder selects only that one. If several paths
// look alike, it selects the exact matches, or else all of them.
func (ix *Index) matchLocationsOnce(ctx context.Context, g *glob.Glob) (map[search.Location]bool, error) {
	isMeant, err := ix.documentMatcher(g)
	if err != nil {
		return nil, err
	}
	meant, exactly, named := make(map[search.Location]bool), make(map[search.Location]bool), make(map[search.Location]bool)
	for _, d := range ix.everyDocument() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := d.Location()
		if isMeant(d, (*glob.Glob).Match) {
			meant[at] = true
			if isMeant(d, (*glob.Glob).MatchUnnormalised) {
				exactly[at] = true
			}
			if isMeant(d, (*glob.Glob).IsPathOrFolderAbove) {
				named[at] = true
			}
		}
	}
	if len(named) > 0 {
		meant = named
	}
	if named := g.WithLiteralBrackets(); len(meant) == 0 && named != nil && !filepath.IsAbs(filepath.FromSlash(g.Pattern)) {
		return ix.matchLocationsOnce(ctx, named)
	}
	if len(meant) == 0 && g.SyntaxError != nil && !ix.State().IsBehind() {
		return nil, g.SyntaxError
	}
	for at := range ix.store.LookalikesOf(exactly) {
		delete(meant, at)
	}
	return meant, nil
}

// documentMatcher returns a function that reports whether a glob selects a document. That function calls
// match, such as (*glob.Glob).Match, with each path of the document that the glob may mean, and with the glob
// for that path. The error says that the pattern is an absolute path outside the folders.
func (ix *Index) documentMatcher(g *glob.Glob) (func(*search.Document, func(*glob.Glob, string) bool) bool, error) {
	if !filepath.IsAbs(filepath.FromSlash(g.Pattern)) {
		mayBeInner := !g.IsPath() || !ix.isOnlyShownPath(g.Pattern)
		return func(d *search.Document, match func(*glob.Glob, string) bool) bool {
			shown := ix.folders.ShownPath(d.Location())
			return match(g, shown) || mayBeInner && shown != d.Path && match(g, d.Path)
		}, nil
	}
	within := make(map[int][]*glob.Glob) // by folder
	places := ix.folders.LocationsOfAbsolutePath(filepath.FromSlash(g.Pattern))
	if len(places) == 0 && len(ix.folders) > 0 {
		return nil, roots.OutsideFolderError(g.Pattern)
	}
	for _, at := range places {
		inner := (*glob.Glob)(nil)
		if at.Path != "." { // anchored at the root: a file name must not match in other folders
			inner = g.OfSameKind("/" + at.Path)
		}
		within[at.Folder] = append(within[at.Folder], inner)
	}
	return func(d *search.Document, match func(*glob.Glob, string) bool) bool {
		return slices.ContainsFunc(within[d.Folder], func(inner *glob.Glob) bool { return match(inner, "/"+d.Path) })
	}, nil
}

// DescribeDocument describes the document that a reference names, or a file that is not indexed. The error
// matches ErrNotFound if there is neither.
func (ix *Index) DescribeDocument(ctx context.Context, ref string) (Document, error) {
	d, _, err := ix.findReferenced(ctx, ref)
	if err != nil {
		return Document{}, err
	}
	return ix.describe(d), nil
}

func (ix *Index) describe(d *search.Document) Document {
	at := d.Location()
	encoding, isGuess := d.Charset()
	return Document{
		Path: ix.folders.ShownPath(at), URI: ix.folders.URI(d.Location()), Title: d.Title, MIME: d.MIME, TextMIME: d.TextMIME,
		Size: d.Size, Modified: d.Modified(), Hash: d.Hash, Chunks: d.CountChunks(), Encoding: encoding, IsEncodingGuessed: isGuess,
		ExtractionNote: d.ExtractionNote, ReadInterval: ix.syncer.RereadBackoff.ReadInterval(at, time.Now()), SkipReason: ix.skipOf(d), Tags: d.Meta.Tags, Date: d.Meta.Date, EffectiveDate: d.EffectiveDate(),
	}
}
