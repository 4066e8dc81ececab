// Package ingest turns a file, or a text from a client, into a document ready to be committed, with
// its chunks, their terms and traits. It reads files and writes nothing.
package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"log/slog"
	"path"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/docs/chunk"
	"vademecum/docs/extract"
	"vademecum/docs/kind"
	"vademecum/docs/ocr"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
	"vademecum/internal/base/panics"
	"vademecum/internal/base/script"
)

// PreparedDocument is a document that has been read, chunked and analysed.
type PreparedDocument struct {
	catalog.RecordWithBody
	ReadDurationIfChanged time.Duration // how long it took to read the document; 0 if its content has not changed
}

// ErrFileRemoved means that a file disappeared between the scan and the read.
var ErrFileRemoved = errors.New("gone")

// Prepare makes a document of a file, which it reads first if FetchAll has not. indexed is the document
// that the index has for it, or nil: the result has its row if the content is the same, unless force
// is set. A panic is attributed to the
// file, which is then skipped. The error is ErrFileRemoved, that of ctx, or docs.ErrNotResponding.
func (r *Reader) Prepare(ctx context.Context, folder int, file FetchedFile, indexed *search.Document, force bool) (p PreparedDocument, err error) {
	if file.waits {
		file = r.Fetch(ctx, folder, file.File)
	}
	err = r.Guard.Catch("read a file", func() error {
		p, err = r.readChunks(ctx, file, indexed, force)
		return err
	})
	if err == nil && indexed != nil && p.SkipReason == "" && p.Hash != indexed.Hash {
		p.ReadDurationIfChanged = time.Since(file.began)
	}
	if panics.Is(err) {
		return r.WithoutText(folder, newDocument(file), err).keepRowIfSame(indexed), nil
	}
	return p, err
}

// WithoutText returns a document without text for a file that this program cannot process, and logs why.
func (r *Reader) WithoutText(folder int, p PreparedDocument, why error) PreparedDocument {
	r.Log.Error("could not index", "path", r.Folders.ShownPath(search.Location{Folder: folder, Path: p.Path}), "error", why)
	return PreparedDocument{RecordWithBody: catalog.RecordWithBody{Record: catalog.Record{
		Path: p.Path, Size: p.Size, Modified: p.Modified, ChangeTime: p.ChangeTime, ReadAt: p.ReadAt, Hash: p.Hash, MIME: p.MIME, SkipReason: message.FromError(why),
	}}}
}

func newDocument(l FetchedFile) PreparedDocument {
	return PreparedDocument{RecordWithBody: catalog.RecordWithBody{Record: catalog.Record{Path: l.Path, Size: l.Size, Modified: l.ModTime, ChangeTime: l.ChangeTime, ReadAt: l.began, SkipReason: l.SkipReason, MIME: "application/octet-stream"}}}
}

// readChunks turns a fetched file into chunks.
func (r *Reader) readChunks(ctx context.Context, l FetchedFile, have *search.Document, force bool) (PreparedDocument, error) {
	p, raw := newDocument(l), l.raw
	if panics.Is(l.err) {
		return p, l.err
	}
	if l.err != nil {
		return p.skippedFor(l.err, have)
	}
	if l.NeedsOCR() && have != nil && have.SkipReason == "" && !force {
		if raw, err := r.Folders[have.Folder].LoadPicture(ctx, l.Path); err == nil && raw.Hash == have.Hash {
			return p.keepText(raw, have), nil // its text was recognised before
		}
	}
	if l.SkipReason != "" {
		return p.keepRowIfSame(have), nil
	}
	if have != nil && have.Hash == raw.Hash && !have.IsReadFailure() && !force && !r.IsMachineGenerated(have) {
		return p.keepText(raw, have), nil
	}
	p.setFile(raw)
	d, err := raw.Document(ctx, r.Recogniser)
	if err != nil {
		return p.skippedFor(err, have)
	}
	err = p.fillFrom(ctx, d)
	return p, err
}

// keepText returns the document with the catalogue row of have, the indexed document of the same file,
// because its content is the same.
func (p PreparedDocument) keepText(raw docs.RawFile, have *search.Document) PreparedDocument {
	p.setFile(raw)
	p.ID, p.SkipReason = have.ID, have.SkipReason
	return p
}

// setFile sets the hash, size and times of the file that was read.
func (p *PreparedDocument) setFile(raw docs.RawFile) {
	p.Hash, p.Size, p.Modified, p.ChangeTime = raw.Hash, raw.Size, raw.ModTime, raw.ChangeTime
}

// skippedFor returns the document with the reason why it has no text, or an error that is not about
// the file.
func (p PreparedDocument) skippedFor(err error, have *search.Document) (PreparedDocument, error) {
	var skip *extract.SkipError
	switch {
	case errors.As(err, &skip):
		p.SkipReason = skip.Reason
	case errors.Is(err, fs.ErrNotExist):
		return p, ErrFileRemoved
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, docs.ErrNotResponding):
		return p, err
	default:
		p.SkipReason = catalog.ReadFailureReason(UnwrapOnce(err))
	}
	return p.keepRowIfSame(have), nil
}

// keepRowIfSame returns the document, with the row of have if that was skipped for the same reason.
func (p PreparedDocument) keepRowIfSame(have *search.Document) PreparedDocument {
	if have != nil && have.SkipReason == p.SkipReason {
		p.ID = have.ID
	}
	return p
}

// UnwrapOnce returns the error that err wraps, or err itself: the outermost one describes the operation,
// which the report shows in any case.
func UnwrapOnce(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

// fillFrom sets the metadata, text and chunks of a document. It fails if ctx ends.
func (p *PreparedDocument) fillFrom(ctx context.Context, d docs.Document) error {
	p.Title, p.MIME, p.TextMIME, p.ExtractionNote = d.Title, d.MIME, d.TextMIME, d.ExtractionNote
	p.Body, p.TextHash, p.Meta = d.Body, d.TextHash(), d.Meta
	if p.Encoding = d.Encoding; d.IsEncodingGuessed {
		p.Encoding = catalog.MarkGuessedEncoding(p.Encoding)
	}
	chunks := d.Chunks()
	p.Meta.ChunkDates = d.ChunkDates(chunks)
	kinds := kindsOf(d, chunks)
	language, isSure := languageOf(d, chunks, kinds)
	for i, c := range chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		input := catalog.EmbeddingInput(c.Text, c.Heading)
		sum := sha256.Sum256([]byte(input))
		p.Chunks = append(p.Chunks, catalog.Chunk{
			Span: c.Span, Heading: c.Heading, Key: catalog.EmbeddingKey(sum[:len(catalog.EmbeddingKey{})]), ContentHash: rank.ChunkTextHashOf(c.Text),
			Traits: kind.Traits{Kind: kinds[i], Language: language, IsProseLanguageCertain: isSure, MinHash: kind.MinHashOf(c.Text)},
		})
		p.Chunks[i].Terms = TermsOfChunk(&p.Record, p.Body.Text, i)
	}
	return nil
}

// kindsOf returns the kind of each chunk of a document.
func kindsOf(d docs.Document, chunks []chunk.Chunk) []kind.Kind {
	kinds := make([]kind.Kind, len(chunks))
	for i, c := range chunks {
		if kinds[i] = kind.GeneratedFile; !d.IsGenerated {
			kinds[i] = kind.KindOf(kind.Passage{Path: d.Path, Heading: c.Heading, Text: c.Text, IsWholeDocument: len(chunks) == 1})
		}
	}
	return kinds
}

// Reader reads files of folders. It is safe for concurrent use.
type Reader struct {
	Folders    roots.Set
	Recogniser *ocr.Recogniser // recognises the text of scanned pages; nil if there is none
	Guard      *panics.Guard
	Log        *slog.Logger

	// IsMachineGenerated reports whether a document is marked as machine-generated. Such a document was
	// indexed by an earlier version; it is read again and then left out.
	IsMachineGenerated func(*search.Document) bool
}

// TermsOfChunk returns the terms of a chunk, given its number and the text of the document: the
// words of the chunk, those of the titles and headings above it, and its names, see analysis.ChunkNames (only
// the first chunk has those of the document).
func TermsOfChunk(d *catalog.Record, text string, number int) analysis.TermCounts {
	c := d.Chunks[number]
	own := text[c.Span.StartByte:c.Span.EndByte]
	return analysis.CountTermsInLanguage(c.Traits.Language, namesOf(d, number), d.Title, NameWithoutExtension(d.Path), catalog.HeadingsAbove(own, c.Heading), own)
}

// namesOf returns the names of a chunk. Only the first chunk has the names of its document, which
// apply to all chunks.
func namesOf(d *catalog.Record, number int) analysis.ChunkNames {
	var n analysis.ChunkNames
	if heading := d.Chunks[number].Heading; len(heading) > 0 {
		n.Heading = heading[len(heading)-1]
	}
	if number > 0 {
		return n
	}
	n.FileName, n.Title, n.Aliases = NameWithoutExtension(d.Path), d.Title, d.Meta.Aliases()
	if dir := path.Dir(d.Path); dir != "." {
		n.Folders = strings.Split(dir, "/")
	}
	return n
}

// NameWithoutExtension returns the last element of a path without its extension.
func NameWithoutExtension(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// languageOf returns the language of a document. isSure means that it was detected in sentences. For
// programs, data and lists of links it is only the most likely language, which is good enough to find
// them.
func languageOf(d docs.Document, chunks []chunk.Chunk, kinds []kind.Kind) (l script.Language, isSure bool) {
	if d.IsProse() {
		if l = script.CertainLanguageOf(proseOf(chunks, kinds)); l != script.UnknownLanguage {
			return l, true
		}
	}
	return script.LanguageOf(d.Text), false
}

// proseBytes is the amount of prose, in bytes, that suffices to detect its language.
const proseBytes = 8 << 10

// proseOf returns the beginning of the prose of a document: its chunks of kind Text.
func proseOf(chunks []chunk.Chunk, kinds []kind.Kind) string {
	var prose strings.Builder
	for i, c := range chunks {
		if kinds[i] != kind.OrdinaryText {
			continue
		}
		prose.WriteString(c.Text)
		prose.WriteByte('\n')
		if prose.Len() >= proseBytes {
			break
		}
	}
	return prose.String()
}
