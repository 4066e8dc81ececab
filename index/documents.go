package index

import (
	"cmp"
	"context"
	"maps"
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
	Path     string // as shown: relative to its folder, after the folder's name where there are several
	URI      string // file URI, or vademecum:text/<hash> for a text that a client sent
	Title    string
	MIME     string // of the file
	TextMIME string // of its text
	Size     int64  // bytes on disk
	Modified time.Time
	Hash     [32]byte // SHA-256 of the bytes on disk
	Chunks   int
	Encoding string          // of the file, "" for UTF-8
	Guessed  bool            // the encoding was guessed: nothing in the file states it
	Note     message.Message // what of the file is missing in its text, "" if nothing
	Every    time.Duration   // how often it is read because it changes all the time; 0: when it changes
	Skip     message.Message // why it is not indexed, "" when it is
	Tags     []string        // without #
	Date     meta.Date       // stated in its front matter, 0 if none
	Day      meta.Date       // the Date, or else that of its name or its file
}

// dividedWord ends a line whose last word continues on the next: the readers of formats with
// pages put a soft hyphen there.
const dividedWord = "\u00ad"

// Whole returns text of a document for reading: words divided between two lines are joined on the
// first. A file that is text itself stays as it is.
func (d Document) Whole(text string) string {
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
		default: // the word is the whole line, and may be divided again
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

// ErrNotYet is matched by errors about files that are not indexed yet.
var ErrNotYet = message.Errorf("it is not indexed yet: ask again")

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
	for _, d := range ix.store.Admitted(only) {
		all = append(all, ix.describe(d))
	}
	conditions := only.Conditions.Folded()
	for _, d := range ix.engine.Indexer.UnreadDocuments() {
		if (only.Places == nil || only.Places[d.Location()]) && conditions.Admit(*d.Meta, d.Day()) {
			all = append(all, ix.describe(d))
		}
	}
	slices.SortFunc(all, func(a, b Document) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// Page lists at most a number of searchable documents whose paths follow a path, in order. It
// describes no others, so that all can be listed page by page.
func (ix *Index) Page(ctx context.Context, after string, most int) ([]Document, error) {
	type shown struct {
		path string
		*search.Document
	}
	if most < 1 {
		return nil, ctx.Err()
	}
	var first []shown
	last := ""
	cut := func() {
		slices.SortFunc(first, func(a, b shown) int { return cmp.Compare(a.path, b.path) })
		if len(first) >= most {
			first = first[:most]
			last = first[most-1].path
		}
	}
	for _, d := range ix.store.Admitted(search.Filter{}) {
		path := ix.folders.ShownPath(d.Location())
		if d.Skip != "" || path <= after || last != "" && path > last {
			continue
		}
		if first = append(first, shown{path, d}); len(first) == 2*most {
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

// everyDocument also lists the documents that are not read yet.
func (ix *Index) everyDocument() []*search.Document {
	return append(ix.store.All(), ix.engine.Indexer.UnreadDocuments()...)
}

// matchLocations returns the locations of the documents that a glob selects now, nil for "": all.
// The glob is matched with the path as shown and with the path in the folder, see
// isOnlyShownPath; an absolute path selects what it names. The path of a document or folder
// selects that alone, and no others of the same name elsewhere. A glob that matches nothing from
// the top is matched with parts of paths: "blog" with "content/blog".
func (ix *Index) matchLocations(ctx context.Context, pattern string) (map[search.Location]bool, error) {
	g, err := roots.ParsePath(pattern)
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
	return meant, nil
}

// isOnlyInPart reports whether a glob selects documents only as a part of their paths.
func (ix *Index) isOnlyInPart(ctx context.Context, pattern string, meant map[search.Location]bool) bool {
	g, err := roots.ParsePath(pattern)
	if err != nil || g == nil || len(meant) == 0 {
		return false
	}
	below, err := ix.matchLocationsOnce(ctx, g)
	return err == nil && len(below) == 0
}

// matchLocationsOnce is matchLocations for whole paths only. Of documents whose paths look alike
// it selects the exact matches, or else all.
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
			if isMeant(d, (*glob.Glob).MatchExactly) {
				exactly[at] = true
			}
			if isMeant(d, (*glob.Glob).MatchPathOrFolder) {
				named[at] = true
			}
		}
	}
	if len(named) > 0 {
		meant = named
	}
	if named := g.WithNamedBrackets(); len(meant) == 0 && named != nil && !filepath.IsAbs(filepath.FromSlash(g.Text)) {
		return ix.matchLocationsOnce(ctx, named)
	}
	if len(meant) == 0 && g.Fault != nil && !ix.State().IsBehind() {
		return nil, g.Fault
	}
	for at := range ix.store.OnlyLookalikes(exactly) {
		delete(meant, at)
	}
	return meant, nil
}

// documentMatcher returns a function that reports whether a glob selects a document.
func (ix *Index) documentMatcher(g *glob.Glob) (func(*search.Document, func(*glob.Glob, string) bool) bool, error) {
	if !filepath.IsAbs(filepath.FromSlash(g.Text)) {
		mayBeInner := !g.IsPath() || !ix.isOnlyShownPath(g.Text)
		return func(d *search.Document, match func(*glob.Glob, string) bool) bool {
			shown := ix.folders.ShownPath(d.Location())
			return match(g, shown) || mayBeInner && shown != d.Path && match(g, d.Path)
		}, nil
	}
	within := make(map[int][]*glob.Glob) // by folder
	places := ix.folders.LocationsOfAbsolute(filepath.FromSlash(g.Text))
	if len(places) == 0 && len(ix.folders) > 0 {
		return nil, roots.OutsideError(g.Text)
	}
	for _, at := range places {
		inner := (*glob.Glob)(nil)
		if at.Path != "." { // from the root: a file name does not match in other folders
			inner = g.At("/" + at.Path)
		}
		within[at.Folder] = append(within[at.Folder], inner)
	}
	return func(d *search.Document, match func(*glob.Glob, string) bool) bool {
		return slices.ContainsFunc(within[d.Folder], func(inner *glob.Glob) bool { return match(inner, "/"+d.Path) })
	}, nil
}

// About describes the document that a reference names, or a file that is not indexed. The error
// matches ErrNotFound when there is neither.
func (ix *Index) About(ctx context.Context, ref string) (Document, error) {
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
		Size: d.Size, Modified: d.Modified(), Hash: d.Hash, Chunks: d.CountChunks(), Encoding: encoding, Guessed: isGuess,
		Note: d.Note, Every: ix.engine.Throttle.ReadInterval(at, time.Now()), Skip: ix.skipOf(d), Tags: d.Meta.Tags, Date: d.Meta.Date, Day: d.Day(),
	}
}
