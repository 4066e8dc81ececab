package live

import (
	"context"
	"errors"
	"fmt"

	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// Body returns the whole text of a document. ok is false if the document has been replaced.
func (st *Store) Body(ctx context.Context, d *search.Document) (body text.Body, ok bool, err error) {
	bodies, err := st.LoadBodies(ctx, []*search.Document{d})
	body, ok = bodies[d]
	return body, ok, err
}

// LoadBodies returns the whole texts of documents, except those that have been replaced. The error
// matches catalog.ErrDamaged if a text is lost.
func (st *Store) LoadBodies(ctx context.Context, of []*search.Document) (map[*search.Document]text.Body, error) {
	return st.LoadBodiesWith(ctx, of, (*Follower).LoadBodies)
}

// LoadBodiesWith returns the whole texts of documents, except those that have been replaced. It
// calls read for the texts of each folder.
func (st *Store) LoadBodiesWith(ctx context.Context, of []*search.Document, read BodyReader) (map[*search.Document]text.Body, error) {
	found := make(map[*search.Document]text.Body, len(of))
	saved := make(map[int][]*search.Document) // by folder
	for _, d := range of {
		if d.Folder == search.NoFolder {
			found[d] = *d.Body
		} else {
			saved[d.Folder] = append(saved[d.Folder], d)
		}
	}
	for folder, documents := range saved {
		if err := st.addBodies(ctx, st.Follower(folder), documents, found, read); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// BodyReader reads the texts of a folder from its catalogue. hashes has the hash of each wanted text, by
// the row of its document; the result has the texts found, by row.
type BodyReader func(from *Follower, ctx context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error)

// addBodies adds the texts of documents of one folder to found.
func (st *Store) addBodies(ctx context.Context, source *Follower, of []*search.Document, found map[*search.Document]text.Body, read BodyReader) error {
	if source == nil {
		return nil
	}
	hashes := make(map[int64][32]byte, len(of))
	for _, d := range of {
		if d.CatalogID == source.number {
			hashes[d.ID] = d.TextHash
		}
	}
	bodies, err := read(source, ctx, hashes)
	switch {
	case err == nil:
		err = st.checkFound(ctx, source, of, func(row int64) bool { _, ok := bodies[row]; return ok })
	case errors.Is(err, catalog.ErrDamaged):
		source.recordDamaged(ctx, of, hashes)
	}
	if err != nil && source.IsBeingReplaced() {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the texts of documents: %w", err)
	}
	for _, d := range of {
		body, ok := bodies[d.ID]
		if !ok || d.CatalogID != source.number {
			continue
		}
		if !st.ChunksFitText(d, body.Text) {
			return source.recordLost(d, "is shorter than its passages")
		}
		found[d] = body
	}
	return nil
}
