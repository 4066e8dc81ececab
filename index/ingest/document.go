package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"time"

	"vademecum/docs"
	"vademecum/docs/chunk"
	"vademecum/docs/extract"
	"vademecum/docs/kind"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
	"vademecum/internal/base/panics"
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
