package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/glob"
	"vademecum/index/roots"
	"vademecum/index/say"
	"vademecum/index/search"
	"vademecum/index/upkeep"
	"vademecum/internal/present"
)

// Document tells of one document of the index, without its text.
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
	Encoding string        // of the file, "" for UTF-8
	Guessed  bool          // nothing in the file says that it has this encoding
	Note     string        // what of the file is missing in its text, "" for nothing
	Every    time.Duration // how often it is read, as it changes all the time; 0: when it changes
	Skip     string        // why it is not indexed, "" when it is
	Tags     []string      // without #
	Date     meta.Date     // that its front matter gives it, 0 for none
}

// ErrNotFound is matched by errors about documents that are not in the index.
var ErrNotFound = errors.New("no such document")

// ErrNotYet is matched by errors about files that are yet to be indexed.
var ErrNotYet = errors.New("it is not indexed yet: ask again")

// List lists the documents that a filter means, in the order of their paths, those
// that are skipped included.
func (ix *Index) List(ctx context.Context, f Filter) ([]Document, error) {
	only, err := ix.filter(ctx, f)
	if err != nil {
		return nil, err
	}
	return ix.list(only), nil
}

func (ix *Index) list(only search.Filter) []Document {
	all := []Document{}
	for _, d := range ix.searcher.Admitted(only) {
		all = append(all, ix.describe(d))
	}
	conditions := only.Conditions.Folded()
	for _, d := range ix.keeper.Unread() {
		if (only.Places == nil || only.Places[d.At()]) && conditions.Admit(*d.Meta, d.Day()) {
			all = append(all, ix.describe(d))
		}
	}
	slices.SortFunc(all, func(a, b Document) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// Page lists the documents that can be searched and whose paths follow a path, in
// their order, so many at most. It describes no others: a list of them all is asked
// for page by page.
func (ix *Index) Page(ctx context.Context, after string, most int) ([]Document, error) {
	return ix.PageOf(ctx, Filter{}, after, most)
}

// PageOf is Page of the documents that a filter means.
func (ix *Index) PageOf(ctx context.Context, f Filter, after string, most int) ([]Document, error) {
	only, err := ix.filter(ctx, f)
	if err != nil {
		return nil, err
	}
	return ix.page(ctx, only, after, most)
}

func (ix *Index) page(ctx context.Context, only search.Filter, after string, most int) ([]Document, error) {
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
	for _, d := range ix.searcher.Admitted(only) {
		path := ix.folders.Show(d.At())
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

// everyDocument lists also those that are yet to be read.
func (ix *Index) everyDocument() []*search.Document {
	return append(ix.store.All(), ix.keeper.Unread()...)
}

// meant lists the places of the documents that a glob means now, nil for "": all.
// It is compared with the path as shown and with the path in the folder; an
// absolute path is taken for what it names. What is the path of a document or
// folder means that, and no others of the same name elsewhere. Of documents whose
// paths look alike, those count that it means exactly, or else all.
func (ix *Index) meant(ctx context.Context, pattern string) (map[search.Location]bool, error) {
	g := glob.Parse(pattern)
	if g == nil {
		return nil, nil
	}
	isMeant, err := ix.meantBy(g)
	if err != nil {
		return nil, err
	}
	meant, exactly, named := make(map[search.Location]bool), make(map[search.Location]bool), make(map[search.Location]bool)
	for _, d := range ix.everyDocument() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := d.At()
		if isMeant(d, (*glob.Glob).Match) {
			meant[at] = true
			if isMeant(d, (*glob.Glob).MatchExactly) {
				exactly[at] = true
			}
			if isMeant(d, (*glob.Glob).MatchName) {
				named[at] = true
			}
		}
	}
	if len(named) > 0 {
		meant = named
	}
	if len(meant) == 0 && g.Fault != nil && !ix.State().Behind() {
		return nil, g.Fault
	}
	for at := range ix.store.Unmeant(exactly) {
		delete(meant, at)
	}
	return meant, nil
}

// meantBy tells of a document, given a way to match, whether a glob means it.
func (ix *Index) meantBy(g *glob.Glob) (func(*search.Document, func(*glob.Glob, string) bool) bool, error) {
	if !filepath.IsAbs(filepath.FromSlash(g.Text)) {
		return func(d *search.Document, match func(*glob.Glob, string) bool) bool {
			shown := ix.folders.Show(d.At())
			return match(g, d.Path) || shown != d.Path && match(g, shown)
		}, nil
	}
	within := make(map[int][]*glob.Glob) // by folder
	places := ix.folders.PlacesOfAbsolute(filepath.FromSlash(g.Text))
	if len(places) == 0 && len(ix.folders) > 0 {
		return nil, roots.Outside(g.Text)
	}
	for _, at := range places {
		inner := (*glob.Glob)(nil)
		if at.Path != "." { // from the root: the name of a file is not meant in other folders
			inner = glob.Parse("/" + at.Path)
		}
		within[at.Folder] = append(within[at.Folder], inner)
	}
	return func(d *search.Document, match func(*glob.Glob, string) bool) bool {
		return slices.ContainsFunc(within[d.Folder], func(inner *glob.Glob) bool { return match(inner, "/"+d.Path) })
	}, nil
}

func (ix *Index) describe(d *search.Document) Document {
	at := d.At()
	encoding, isGuess := d.Charset()
	return Document{
		Path: ix.folders.Show(at), URI: ix.folders.URI(d.At()), Title: d.Title, MIME: d.MIME, TextMIME: d.TextMIME,
		Size: d.Size, Modified: d.Modified(), Hash: d.Hash, Chunks: d.CountChunks(), Encoding: encoding, Guessed: isGuess,
		Note: d.Note, Every: ix.keeper.Every(at), Skip: d.Skip, Tags: d.Meta.Tags, Date: d.Meta.Date,
	}
}

// Part is a document, or some lines of it.
type Part struct {
	Document
	text.Span
	Text  string     // of the part
	Place string     // as Passage.Place
	URI   string     // of the part: the document's, with a fragment unless it is the whole
	Rest  string     // URI of what follows, when the part was cut; else ""
	Notes []say.Note // what the reader should know beside the document's Note
	// LinkedFrom lists the documents that link to it, if they are few.
	LinkedFrom []string
	// Linking lists the first of all documents that link to it, and Links counts them.
	Linking []string
	Links   int
	// Divisions are where pages, slides, sheets, chapters or cells begin in Text, none
	// for a document of lines.
	Divisions []text.Division
}

// Reading is what somebody wants to read.
type Reading struct {
	// Ref names the document: a path as shown, an absolute path, or a URI; or else a
	// note by its name or an alias, also as a link. Its fragment chooses the part.
	Ref string
	// StartLine and EndLine choose it instead, unless both are 0. They count from 1;
	// 0 means from the beginning, or to the end.
	StartLine, EndLine int
	// Room is what there is for the text; the zero value is for any length.
	Room Room
}

// Read returns the part of a document that is wanted. Of a text that there is no
// room for only so much is returned as fits, up to a line's end if it can be. The
// error matches ErrNotFound when there is no such document.
func (ix *Index) Read(ctx context.Context, r Reading) (Part, error) {
	return upkeep.DespiteDamage(ctx, ix.keeper, func() (Part, error) {
		d, body, fragment, err := ix.findBody(ctx, r.Ref)
		if err != nil {
			return Part{}, err
		}
		span, err := r.span(d, body, fragment)
		if err != nil {
			return Part{}, fmt.Errorf("%s: %w", ix.folders.Show(d.At()), err)
		}
		return ix.part(d, body, span, r.Room), nil
	})
}

// span is the part of a document that is wanted.
func (r Reading) span(d *search.Document, body text.Body, fragment string) (text.Span, error) {
	switch {
	case r.StartLine == 0 && r.EndLine == 0 && fragment == "":
		return whole(body.Text), nil
	case r.StartLine == 0 && r.EndLine == 0:
		span, err := body.Resolve(fragment)
		if err != nil { // it may be a heading, as links have it
			section, noSection := docs.Section(body, d.TextMIME, fragment)
			if noSection == nil || !text.IsPlace(fragment) {
				return section, noSection
			}
		}
		if err == nil && span.StartByte == span.EndByte {
			err = fmt.Errorf("there is no text at #%s: it ends with %s", present.Name(fragment), end(body))
		}
		return span, err
	case fragment != "":
		return text.Span{}, errors.New("give lines or a uri with a fragment, not both")
	}
	return text.LineSpan(body.Text, max(1, r.StartLine), r.EndLine)
}

// end is the place of the last character.
func end(body text.Body) string {
	last := whole(body.Text)
	last.StartByte, last.StartLine = max(0, last.EndByte-1), last.EndLine
	return body.Place(last)
}

// findBody finds the document that a reference names, and its text. One that
// another process replaced in between is looked for again.
func (ix *Index) findBody(ctx context.Context, ref string) (d *search.Document, body text.Body, fragment string, err error) {
	for range 3 {
		if d, fragment, err = ix.find(ref); errors.Is(err, ErrNotFound) {
			d, fragment, err = ix.findCalled(ref, err)
		}
		if err != nil {
			return nil, body, "", ix.orNotYet(ctx, ref, err)
		}
		if d.Skip != "" {
			return nil, body, "", fmt.Errorf("%s is not indexed: %s", ix.folders.Show(d.At()), d.Skip)
		}
		body, ok, err := ix.store.Body(ctx, d)
		if err != nil || ok {
			return d, body, fragment, err
		}
		if _, err := ix.store.Follow(ctx, d.Folder); err != nil {
			return nil, body, "", err
		}
	}
	return nil, body, "", fmt.Errorf("%w: %s is being changed: ask again", ErrNotFound, present.Name(ref))
}

func whole(s string) text.Span {
	span, err := text.LineSpan(s, 1, 0)
	if err != nil {
		return text.Span{StartLine: 1, EndLine: 1}
	}
	span.EndByte = len(s)
	return span
}

func (ix *Index) part(d *search.Document, body text.Body, span text.Span, r Room) Part {
	text := body.Text
	p := Part{Document: ix.describe(d), Span: span}
	p.Linking, p.Links = ix.linking(d)
	if p.Links <= fewLinks {
		p.LinkedFrom = p.Linking
	}
	if d.Folder != search.NoFolder {
		p.Notes = append(ix.keeper.Strayed(d.Folder), ix.keeper.Stuck()...)
	}
	if shorter, rest := shorten(text, span, r); rest.StartByte < rest.EndByte {
		p.Span = shorter
		p.Rest = p.Document.URI + "#" + body.Fragment(rest)
	}
	p.Divisions = body.Divisions(p.Span)
	p.Text, p.URI, p.Place = text[p.StartByte:p.EndByte], p.Document.URI, body.Place(p.Span)
	if p.StartByte > 0 || p.EndByte < len(text) {
		p.URI += "#" + body.Fragment(p.Span)
	}
	return p
}

// shorten splits a span that does not fit at the last line end that does, or
// else between two characters.
func shorten(text string, span text.Span, r Room) (first, rest text.Span) {
	most := span.EndByte - span.StartByte
	if r != (Room{}) {
		most = r.Fit(text[span.StartByte:span.EndByte])
	}
	if most == span.EndByte-span.StartByte {
		return span, rest
	}
	part := text[span.StartByte : span.StartByte+most]
	end := strings.LastIndexByte(part, '\n')
	next := end + 1
	if end <= 0 {
		for end = most; !utf8.RuneStart(text[span.StartByte+end]); {
			end--
		}
		next = end
	}
	lines := strings.Count(part[:next], "\n")
	first, rest = span, span
	first.EndByte, first.EndLine = span.StartByte+end, span.StartLine+strings.Count(part[:end], "\n")
	rest.StartByte, rest.StartLine = span.StartByte+next, span.StartLine+lines
	return first, rest
}

// find resolves a reference to a document and the fragment in it. A path may
// have a fragment too, unless a file is called so.
func (ix *Index) find(ref string) (*search.Document, string, error) {
	d, fragment, err := ix.findNamed(ref)
	if at := strings.LastIndexByte(ref, '#'); at >= 0 && errors.Is(err, ErrNotFound) {
		if d, _, err := ix.findNamed(ref[:at]); err == nil {
			return d, ref[at+1:], nil
		}
	}
	if errors.Is(err, ErrNotFound) {
		if d := ix.findShown(ref); d != nil {
			return d, "", nil
		}
	}
	return d, fragment, err
}

// findShown finds the one document whose path holds characters that are not shown
// and looks like ref.
func (ix *Index) findShown(ref string) *search.Document {
	var found *search.Document
	for _, d := range ix.everyDocument() {
		if name := ix.folders.Show(d.At()); present.Line(name) == ref && name != ref {
			if found != nil {
				return nil
			}
			found = d
		}
	}
	return found
}

func (ix *Index) findNamed(ref string) (*search.Document, string, error) {
	candidates, fragment, err := ix.locate(ref)
	if err != nil {
		return nil, "", err
	}
	for _, at := range candidates {
		if d, ok := ix.store.Document(at); ok {
			return d, fragment, nil
		}
		if d, ok := ix.keeper.FindUnread(at); ok {
			return d, fragment, nil
		}
	}
	for _, at := range candidates {
		if other, ok := ix.store.Alike(at); ok {
			if d, ok := ix.store.Document(other); ok { // it was there a moment ago
				return d, fragment, nil
			}
		}
		if d, ok := ix.keeper.FindUnreadAlike(at); ok {
			return d, fragment, nil
		}
	}
	return nil, "", fmt.Errorf("%w: %s", ErrNotFound, present.Name(ref))
}

// fileLimit is how long somebody waits for whether a file is there.
const fileLimit = time.Second

// orNotYet returns why there is no document: there may be its file, which a run
// under way has not come to.
func (ix *Index) orNotYet(ctx context.Context, ref string, why error) error {
	if !errors.Is(why, ErrNotFound) || !ix.State().Behind() {
		return why
	}
	places, _, err := ix.locate(ref)
	if err != nil {
		return why
	}
	ctx, cancel := context.WithTimeout(ctx, fileLimit)
	defer cancel()
	for _, at := range places {
		if at.Folder == search.NoFolder || ix.folders[at.Folder].Silent() > 0 {
			continue
		}
		files, err := ix.folders[at.Folder].Scan(ctx, at.Path)
		if err == nil && len(files) == 1 && files[0].Path == at.Path {
			return fmt.Errorf("%s: %w", ix.folders.Show(at), ErrNotYet)
		}
	}
	return why
}

// locate lists the places that a reference may mean, likeliest first.
func (ix *Index) locate(ref string) (places []search.Location, fragment string, err error) {
	switch {
	case strings.HasPrefix(ref, upkeep.TextScheme):
		name, fragment, _ := strings.Cut(ref, "#")
		return []search.Location{{Folder: search.NoFolder, Path: name}}, fragment, nil
	case strings.HasPrefix(strings.ToLower(ref), "file://"):
		abs, fragment, err := docs.ParseFileURI(ref)
		if err != nil {
			return nil, "", err
		}
		return ix.folders.PlacesOfAbsolute(abs), fragment, nil
	}
	places = ix.folders.Places(ref)
	if len(places) == 0 && !filepath.IsAbs(ref) && len(ix.folders) > 0 {
		return nil, "", roots.Outside(ref)
	}
	return places, "", nil
}

// Canonical returns the form of a file URI in which the document that it means is
// listed: another spelling of the folder, another composition of characters and
// other escapes come to the same. A URI of no document is brought into the form
// that a document of that path would have; found says whether there is one.
func (ix *Index) Canonical(uri string) (canonical string, found bool) {
	if strings.HasPrefix(uri, upkeep.TextScheme) {
		_, _, err := ix.find(uri)
		return uri, err == nil
	}
	abs, fragment, err := docs.ParseFileURI(uri)
	if err != nil {
		return uri, false
	}
	if fragment != "" {
		fragment = "#" + fragment
	}
	if d, _, err := ix.find(docs.FileURI(abs)); err == nil {
		return ix.folders.URI(d.At()) + fragment, true
	}
	if places := ix.folders.PlacesOfAbsolute(abs); len(places) > 0 {
		return ix.folders.URI(places[0]) + fragment, false
	}
	return docs.FileURI(abs) + fragment, false
}
