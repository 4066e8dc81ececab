package live

import (
	"context"
	"fmt"

	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// Put saves documents of a folder in one commit, and makes them searchable, with their known
// vectors, in place of the documents at their paths.
func (st *Store) Put(ctx context.Context, folder int, entries ...catalog.RecordWithBody) error {
	known, err := st.KnownVectors(ctx, folder, entries)
	if err != nil {
		return err
	}
	tidy, err := st.putInOrder(ctx, folder, entries, known)
	if tidy != nil {
		tidy()
	}
	return err
}

// putInOrder saves documents of a folder in one commit, and makes them searchable, in place of the
// documents at their paths. known holds the vectors of their chunks that are known already. tidy is
// that of ChunkIndex.OnCommit.
func (st *Store) putInOrder(ctx context.Context, folder int, entries []catalog.RecordWithBody, known map[catalog.EmbeddingKey][]float32) (tidy func(), err error) {
	f := st.Follower(folder)
	defer f.LockFollowing()()
	done, err := f.Put(ctx, entries...)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		if e.ID = done.IDs[i]; len(done.SlotRanges) > 0 {
			e.SlotRange = done.SlotRanges[i]
		}
		if err := st.takeRecord(folder, f, e.Record, known); err != nil {
			return nil, err
		}
	}
	tidy, err = st.OnCommit(ctx, folder, f)
	if err != nil {
		f.again = true // the documents are saved, and the next poll loads them
	}
	f.advance(done)
	return tidy, nil
}

// takeRecord loads one document into memory.
func (st *Store) takeRecord(folder int, f *Follower, r catalog.Record, vectors map[catalog.EmbeddingKey][]float32) error {
	return st.Update(func(docs *Documents) error {
		st.forgetSentText(docs, r.TextHash)
		return st.insertDocument(docs, folder, f, r, nil, vectors)
	})
}

// PutClientText makes a text sent by a client searchable.
func (st *Store) PutClientText(ctx context.Context, e catalog.RecordWithBody) error {
	known, err := st.KnownVectors(ctx, search.NoFolder, []catalog.RecordWithBody{e})
	if err != nil {
		return err
	}
	return st.Update(func(docs *Documents) error {
		return st.insertDocument(docs, search.NoFolder, nil, e.Record, &e.Body, known)
	})
}

// forgetSentText removes a text sent by a client if a file has the same text.
func (st *Store) forgetSentText(docs *Documents, hash [32]byte) {
	if !st.texts[hash] {
		return
	}
	for d := range docs.InFolder(search.NoFolder) {
		if d.TextHash == hash {
			st.forgetDocument(docs, d.Location())
			return
		}
	}
}

// insertDocument replaces a document in memory. It must be called within Update.
func (st *Store) insertDocument(docs *Documents, folder int, source *Follower, r catalog.Record, body *text.Body, vectors map[catalog.EmbeddingKey][]float32) error {
	at := search.Location{Folder: folder, Path: r.Path}
	st.forgetDocument(docs, at)
	docs.internStrings(&r)
	made := search.DocumentOf(&r, docs.InternSharedFields(search.InternedFieldsOf(&r, folder, source.CatalogID())))
	d := &made
	d.Body = body
	if err := st.Insert(docs, d, r.Chunks, vectors); err != nil {
		return fmt.Errorf("%s: %w", r.Path, err)
	}
	docs.Put(d)
	if folder == search.NoFolder {
		st.texts[r.TextHash] = true
	}
	return nil
}

// Remove removes documents of a folder from the catalogue, in one commit, and from memory.
func (st *Store) Remove(ctx context.Context, folder int, paths ...string) error {
	f := st.Follower(folder)
	defer f.LockFollowing()()
	done, err := f.Remove(ctx, paths...)
	if err != nil {
		return err
	}
	for _, path := range paths { // one by one, so that queries can be answered in between
		st.forgetAt(search.Location{Folder: folder, Path: path})
	}
	f.advance(done)
	return nil
}

func (st *Store) forgetAt(at search.Location) {
	_ = st.Update(func(docs *Documents) error { st.forgetDocument(docs, at); return nil }) // never fails
}

// forgetDocument removes a document from memory. It must be called within Update.
func (st *Store) forgetDocument(docs *Documents, at search.Location) {
	d := docs.DocumentAt(at)
	if d == nil {
		return
	}
	docs.RemoveAt(at)
	if at.Folder == search.NoFolder {
		delete(st.texts, d.TextHash)
	}
	st.Delete(docs, d)
}

// Touch records in the catalogue and in memory that files were read again and found unchanged. touched
// has their new times.
func (st *Store) Touch(ctx context.Context, folder int, touched []catalog.Record) error {
	if len(touched) == 0 {
		return nil
	}
	f := st.Follower(folder)
	defer f.LockFollowing()()
	done, err := f.Touch(ctx, touched)
	if err != nil {
		return err
	}
	st.TouchInMemory(folder, touched)
	f.advance(done)
	return nil
}

// TouchInMemory records in memory, but not in the catalogue, that files were read again and found
// unchanged. touched has their new times.
func (st *Store) TouchInMemory(folder int, touched []catalog.Record) {
	_ = st.Update(func(docs *Documents) error { // never fails
		for _, r := range touched {
			if d := docs.DocumentAt(search.Location{Folder: folder, Path: r.Path}); d != nil && d.ID == r.ID {
				next := *d
				next.SetFileSizeAndTimes(&r)
				docs.move(d, &next)
				docs.replaceSame(&next)
				st.Move(d, &next)
			}
		}
		return nil
	})
}
