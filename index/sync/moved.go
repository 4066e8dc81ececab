package sync

import (
	"context"
	"errors"
	"fmt"

	"vademecum/docs"
	"vademecum/docs/kind"
	"vademecum/index/catalog"
	"vademecum/index/ingest"
	"vademecum/index/search"
)

// commitMoved commits those of the slow files that are moved documents: their content is that of a
// document whose file is gone. So a renamed folder of books is not read again, and its documents
// never disappear from the index. It returns the other files.
func (r *Run) commitMoved(ctx context.Context, folder int, slow []docs.File, gone []*search.Document) ([]docs.File, error) {
	type look struct{ size, modified int64 }
	left := make(map[look]*search.Document)
	for _, d := range gone {
		if d.Skip == "" {
			left[look{d.Size, catalog.Nanoseconds(d.Modified())}] = d
		}
	}
	if len(left) == 0 || r.Force {
		return slow, nil
	}
	var rest []docs.File
	for _, f := range slow {
		moved := false
		if d := left[look{f.Size, catalog.Nanoseconds(f.ModTime)}]; d != nil {
			var err error
			if moved, err = r.commitIfMoved(ctx, folder, d, f); err != nil {
				return nil, err
			}
		}
		if !moved {
			rest = append(rest, f)
		}
	}
	return rest, nil
}

// commitIfMoved commits a document under the path of a file if both have the same content, and
// reports whether it did.
func (r *Run) commitIfMoved(ctx context.Context, folder int, d *search.Document, f docs.File) (bool, error) {
	raw, err := r.s.Folders[folder].Load(ctx, f.Path)
	if ctx.Err() != nil || errors.Is(err, docs.ErrNotResponding) {
		return false, err
	}
	if err != nil || raw.Hash != d.Hash {
		return false, nil // the caller reads it like other files, and reports errors
	}
	body, ok, err := r.s.Store.Body(ctx, d)
	if err != nil || !ok {
		return false, err
	}
	p := catalog.Entry{Body: body}
	if p.Record, err = r.s.Store.Follower(folder).Record(ctx, d.ID); err != nil {
		return false, fmt.Errorf("read the record of %s: %w", d.Path, err)
	}
	if p.Title == ingest.NameWithoutExtension(p.Path) {
		p.Title = ingest.NameWithoutExtension(f.Path)
	}
	p.Path, p.Modified, p.Changed = f.Path, raw.ModTime, raw.Changed
	for i := range p.Chunks {
		c := &p.Chunks[i]
		c.Terms = ingest.TermsOfChunk(&p.Record, body.Text, i)
		if c.Traits.Kind != kind.Generated { // Generated depends on the content alone
			c.Traits.Kind = kind.KindOf(kind.Passage{Path: p.Path, Heading: c.Heading, Text: body.Text[c.Span.StartByte:c.Span.EndByte], IsWholeDocument: len(p.Chunks) == 1})
		}
	}
	if err := r.s.Store.Put(ctx, folder, p); err != nil {
		return false, err
	}
	r.Report.Indexed++
	return true, nil
}
