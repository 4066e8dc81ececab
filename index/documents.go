package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
)

// Document tells of one document of the index, without its text.
type Document struct {
	Path     string // as shown: relative to its folder, after the folder's name where there are several
	URI      string // file URI, or vademecum:text/<hash> for a text that a client sent
	Title    string
	MIME     string
	Size     int64 // bytes on disk
	Modified time.Time
	Hash     [32]byte // SHA-256 of the bytes on disk
	Chunks   int
	Skip     string // why it is not indexed, "" when it is
}

// ErrNotFound is matched by errors about documents that are not in the index.
var ErrNotFound = errors.New("no such document")

// Documents lists all documents in the order of their paths, those that are
// skipped included.
func (ix *Index) Documents() []Document {
	ix.store.mu.RLock()
	all := make([]Document, 0, len(ix.store.documents))
	for _, d := range ix.store.documents {
		all = append(all, ix.describe(d))
	}
	ix.store.mu.RUnlock()
	slices.SortFunc(all, func(a, b Document) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// DocumentsMatching lists the documents that a glob means, as Documents does.
func (ix *Index) DocumentsMatching(pattern string) ([]Document, error) {
	glob, err := parseGlob(pattern)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ix.Documents(), func(d Document) bool { return !glob.match(d.Path) }), nil
}

func (ix *Index) describe(d *document) Document {
	return Document{
		Path: ix.show(location{d.folder, d.path}), URI: ix.uri(d), Title: d.title, MIME: d.mime,
		Size: d.size, Modified: d.modified, Hash: d.hash, Chunks: len(d.slots), Skip: d.skip,
	}
}

// show is the path of a document as people see it.
func (ix *Index) show(at location) string {
	if at.folder == noFolder {
		return at.path
	}
	return ix.folders[at.folder].prefix + at.path
}

func (ix *Index) uri(d *document) string {
	if d.folder == noFolder {
		return d.path
	}
	return docs.FileURI(filepath.Join(ix.folders[d.folder].Dir(), filepath.FromSlash(d.path)))
}

// Part is a document, or some lines of it.
type Part struct {
	Document
	docs.Span
	Text string // of the part
	URI  string // of the part: the document's, with a fragment unless it is the whole
}

// Read returns the part of a document that a reference names: a path as shown,
// an absolute path, or a URI, whose fragment chooses the part. The error
// matches ErrNotFound when there is no such document.
func (ix *Index) Read(ctx context.Context, ref string) (Part, error) {
	d, fragment, err := ix.find(ref)
	if err != nil {
		return Part{}, err
	}
	text, err := ix.text(ctx, d)
	if err != nil {
		return Part{}, err
	}
	if fragment == "" {
		return ix.part(d, text, whole(text)), nil
	}
	span, err := docs.ResolveFragment(text, fragment)
	if err != nil {
		return Part{}, fmt.Errorf("%s: %w", ix.show(location{d.folder, d.path}), err)
	}
	return ix.part(d, text, span), nil
}

// ReadLines returns lines start to end, counted from 1, of the document that a
// reference names; end 0 means to the end.
func (ix *Index) ReadLines(ctx context.Context, ref string, start, end int) (Part, error) {
	d, _, err := ix.find(ref)
	if err != nil {
		return Part{}, err
	}
	text, err := ix.text(ctx, d)
	if err != nil {
		return Part{}, err
	}
	span, err := docs.LineSpan(text, start, end)
	if err != nil {
		return Part{}, fmt.Errorf("%s: %w", ix.show(location{d.folder, d.path}), err)
	}
	return ix.part(d, text, span), nil
}

func whole(text string) docs.Span {
	span, err := docs.LineSpan(text, 1, 0)
	if err != nil {
		return docs.Span{StartLine: 1, EndLine: 1}
	}
	span.EndByte = len(text)
	return span
}

func (ix *Index) part(d *document, text string, span docs.Span) Part {
	p := Part{Document: ix.describe(d), Span: span, Text: text[span.StartByte:span.EndByte]}
	p.URI = p.Document.URI
	if span.StartByte > 0 || span.EndByte < len(text) {
		p.URI += "#" + span.Fragment(text)
	}
	return p
}

// text is the whole text of d, or of the document that took its place while
// the call was under way.
func (ix *Index) text(ctx context.Context, d *document) (string, error) {
	if d.skip != "" {
		return "", fmt.Errorf("%s is not indexed: %s", ix.show(location{d.folder, d.path}), d.skip)
	}
	text, ok, err := ix.store.text(ctx, d)
	if err != nil || ok {
		return text, err
	}
	return "", fmt.Errorf("%w: %s was changed this moment: ask again", ErrNotFound, ix.show(location{d.folder, d.path}))
}

// find resolves a reference to a document and the fragment in it.
func (ix *Index) find(ref string) (*document, string, error) {
	candidates, fragment, err := ix.locate(ref)
	if err != nil {
		return nil, "", err
	}
	for _, at := range candidates {
		if d, ok := ix.store.document(at); ok {
			return d, fragment, nil
		}
	}
	return nil, "", fmt.Errorf("%w: %s", ErrNotFound, printable(ref))
}

// locate lists the places that a reference may mean, likeliest first.
func (ix *Index) locate(ref string) (places []location, fragment string, err error) {
	switch {
	case strings.HasPrefix(ref, textScheme):
		name, fragment, _ := strings.Cut(ref, "#")
		return []location{{noFolder, name}}, fragment, nil
	case strings.HasPrefix(strings.ToLower(ref), "file:"):
		abs, fragment, err := docs.ParseFileURI(ref)
		if err != nil {
			return nil, "", err
		}
		return ix.locateAbsolute(abs), fragment, nil
	case filepath.IsAbs(ref):
		return ix.locateAbsolute(ref), "", nil
	}
	clean := path.Clean(filepath.ToSlash(ref))
	if !fs.ValidPath(clean) {
		return nil, "", fmt.Errorf("path %s leads out of the folder: give a path as list_docs shows it", printable(ref))
	}
	for i, f := range ix.folders {
		if inner, ok := strings.CutPrefix(clean, f.prefix); ok {
			places = append(places, location{i, inner})
		}
	}
	for i, f := range ix.folders {
		if f.prefix != "" {
			places = append(places, location{i, clean})
		}
	}
	return places, "", nil
}

func (ix *Index) locateAbsolute(abs string) []location {
	for i, f := range ix.folders {
		rel, err := filepath.Rel(f.Dir(), abs)
		if err == nil && filepath.IsLocal(rel) {
			return []location{{i, filepath.ToSlash(rel)}}
		}
	}
	return nil
}

// printable quotes a reference when it holds anything but printable text, and
// shortens it, so that an error stays one line.
func printable(ref string) string {
	const most = 200
	short := ref
	if r := []rune(ref); len(r) > most {
		short = string(r[:most]) + "…"
	}
	for _, r := range short {
		if r < ' ' || r == 0x7f || r == '\uFFFD' {
			return fmt.Sprintf("%q", short)
		}
	}
	return short
}
