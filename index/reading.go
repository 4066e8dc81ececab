package index

import (
	"context"
	"strings"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/docs/struck"
	"vademecum/docs/text"
	"vademecum/index/freshness"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// DocumentPart is a document, or some lines of it.
type DocumentPart struct {
	Document
	text.Span
	Text  string          // text of the part, with the marks of struck-out text that were cut off
	Place message.Message // as in Passage.Place
	// URI of the part: that of the document, with a fragment unless the part is the whole document
	URI     string
	RestURI string        // URI of the remaining text if the part was cut; "" otherwise
	Notes   []notice.Note // what the reader should know in addition to ExtractionNote
	// LinkedFrom lists the documents that link to this one, if they are few.
	LinkedFrom []string
	LinksTo    Links // links of the document
	// FirstLinkingPaths lists the first of the documents that link to this one; LinkingCount is the number of
	// all.
	FirstLinkingPaths []string
	LinkingCount      int
	// Divisions are the positions in Text where pages, slides, sheets, chapters or cells begin;
	// empty if the document has only lines.
	Divisions []text.Division
}

// ReadQuery selects what to read.
type ReadQuery struct {
	// Ref names the document: a path as shown, an absolute path, or a URI; or else the name or an
	// alias of a note, which may be in the form of a link. Its fragment selects the part.
	Ref string
	// StartLine and EndLine select the part instead, unless both are 0. They count from 1; 0 means
	// the beginning or the end.
	StartLine, EndLine int
	// Budget is the space available for the text; the zero value means no limit.
	Budget Budget
}

// Read returns the selected part of a document. If it does not fit the budget, it is cut, at the
// end of a line if possible. The error matches ErrNotFound if there is no such document.
func (ix *Index) Read(ctx context.Context, r ReadQuery) (DocumentPart, error) {
	return sync.ReadWithRepair(ctx, ix.syncer, func() (DocumentPart, error) {
		before := ix.syncer.Freshness()
		d, body, fragment, err := ix.findBody(ctx, r.Ref)
		if err != nil {
			return DocumentPart{}, err
		}
		span, err := r.wantedSpan(d, body, fragment)
		if err != nil {
			return DocumentPart{}, message.Errorf("%s: %v", ix.folders.ShownPath(d.Location()), err)
		}
		p := ix.documentPart(d, body, span, r.Budget)
		p.Notes = ix.outdatedNotes(d, before)
		p.LinksTo = ix.linksOf(ctx, ix.store, []*search.Document{d})[0]
		return p, nil
	})
}

// wantedSpan returns the span of the selected part.
func (r ReadQuery) wantedSpan(d *search.Document, body text.Body, fragment string) (text.Span, error) {
	switch {
	case r.StartLine == 0 && r.EndLine == 0 && fragment == "":
		return wholeSpan(body.Text), nil
	case r.StartLine == 0 && r.EndLine == 0:
		span, err := body.ResolveFragment(fragment)
		if err != nil { // the fragment may be a heading, as in links
			section, noSection := docs.Section(body, d.TextMIME, fragment)
			if noSection == nil || !text.IsPositionFragment(fragment) {
				return section, noSection
			}
		}
		if err == nil && span.StartByte == span.EndByte {
			err = message.Errorf("there is no text at #%s: it ends with %v", present.QuoteName(fragment), endLocation(body))
		}
		return span, err
	case fragment != "":
		return text.Span{}, message.Errorf("give lines or a uri with a fragment, not both")
	}
	return text.LineSpan(body.Text, max(1, r.StartLine), r.EndLine)
}

// endLocation returns the place of the last character.
func endLocation(body text.Body) message.Message {
	last := wholeSpan(body.Text)
	last.StartByte, last.StartLine = max(0, last.EndByte-1), last.EndLine
	return body.Location(last)
}

// findBody finds the document that a reference names, and its text. If another process replaces the
// document in the meantime, it is looked up again.
func (ix *Index) findBody(ctx context.Context, ref string) (d *search.Document, body text.Body, fragment string, err error) {
	for range 3 {
		if d, fragment, err = ix.findIndexed(ctx, ref); err != nil {
			return nil, body, "", err
		}
		body, ok, err := ix.store.Body(ctx, d)
		if err != nil || ok {
			return d, body, fragment, err
		}
		if _, err := ix.store.Follow(ctx, d.Folder); err != nil {
			return nil, body, "", err
		}
	}
	return nil, body, "", message.Errorf("%v: %s is being changed: ask again", ErrNotFound, present.QuoteName(ref))
}

// mostLinks is the maximum length of a chain of symbolic links.
const mostLinks = 8

// followSymlink returns the document that a symbolic link within the folder leads to, by way of
// further links; it returns any other document unchanged.
func (ix *Index) followSymlink(d *search.Document) *search.Document {
	for range mostLinks {
		if !docs.IsInternalSymlinkSkip(d.SkipReason) {
			return d
		}
		target, ok := ix.folders[d.Folder].SymlinkTarget(d.Path)
		if !ok {
			return d
		}
		found := ix.documentsAt([]search.Location{{Folder: d.Folder, Path: target}})
		if len(found) == 0 {
			return d
		}
		d = found[0]
	}
	return d
}

func wholeSpan(s string) text.Span {
	span, err := text.LineSpan(s, 1, 0)
	if err != nil {
		return text.Span{StartLine: 1, EndLine: 1}
	}
	span.EndByte = len(s)
	return span
}

func (ix *Index) documentPart(d *search.Document, body text.Body, span text.Span, r Budget) DocumentPart {
	text := body.Text
	p := DocumentPart{Document: ix.describe(d), Span: span}
	p.FirstLinkingPaths, p.LinkingCount = ix.firstLinking(ix.store, d)
	if p.LinkingCount <= fewLinks {
		p.LinkedFrom = p.FirstLinkingPaths
	}
	if shorter, rest := splitToFit(text, span, r); rest.StartByte < rest.EndByte {
		p.Span = shorter
		p.RestURI = docs.ReadableURI(p.Document.URI) + "#" + body.URIFragment(rest)
	}
	open, closing := struck.MissingMarksIn(text, p.StartByte, p.EndByte)
	p.Divisions = body.Divisions(p.Span)
	for i := range p.Divisions {
		if i > 0 {
			p.Divisions[i].OffsetInSpan += len(open)
		}
	}
	p.Text, p.URI, p.Place = open+text[p.StartByte:p.EndByte]+closing, p.Document.URI, body.Location(p.Span)
	if p.StartByte > 0 || p.EndByte < len(text) {
		p.URI += "#" + body.URIFragment(p.Span)
	}
	return p
}

// outdatedNotes returns notes about why the text of a document, which was looked up after before, may be
// outdated.
func (ix *Index) outdatedNotes(d *search.Document, before freshness.Snapshot) (notes []notice.Note) {
	if d.Folder == search.NoFolder {
		return nil
	}
	since := ix.syncer.Freshness().Since(before, false)
	if since.HasCaughtUp {
		notes = append(notes, notice.Note{Kind: notice.ScannedDuringAnswer})
	}
	return append(notes, since.StalenessNotes(d.Folder)...)
}

// splitToFit returns the beginning of a span that fits in a budget, and the rest. It splits at the last
// line end that fits or, if there is none, between two characters. A zero budget means no limit.
func splitToFit(text string, span text.Span, r Budget) (first, rest text.Span) {
	most := span.EndByte - span.StartByte
	if r != (Budget{}) {
		most = r.FittingBytes(text[span.StartByte:span.EndByte])
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
