package index

import (
	"context"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/notice"
)

// Status reports what the indexes of folders hold.
type Status struct {
	Database    *catalog.DatabaseState `json:"database,omitempty"` // that keeps the indexes, if one does
	Folders     []FolderStatus         `json:"folders"`
	Documents   int                    `json:"documents"` // searchable
	Chunks      int                    `json:"passages"`
	Bare        int                    `json:"passages_without_vector"`
	Skipped     []notice.SkippedFile   `json:"skipped"`
	Guessed     []GuessedEncoding      `json:"guessed_encodings,omitempty"`
	Refused     []notice.SkippedFile   `json:"refused_by_model,omitempty"`      // passages, and why they have no vector
	Scans       int                    `json:"pages_to_recognise,omitempty"`    // scanned pages whose text was not recognised
	Pictures    int                    `json:"pictures_to_recognise,omitempty"` // files that are pictures, likewise
	Unconverted int                    `json:"pictures_to_convert,omitempty"`   // files that are pictures for which no program is installed that converts them
	Recognised  int                    `json:"recognised,omitempty"`            // documents with text that was recognised; of some of them more is to be
	Partial     []notice.SkippedFile   `json:"partly_read,omitempty"`           // documents of which something is missing, and why
}

// GuessedEncoding is a text file whose encoding was guessed.
type GuessedEncoding struct {
	Path     string `json:"path"`
	Encoding string `json:"encoding"`
}

// Status reads what the indexes hold, for an Index that was not loaded. No file is
// read, nothing embedded, and nothing changed: damage is only told. Folders are
// scanned, for a few seconds at most: they may have files that no run has come to, folders that
// are left out by their names, and be others than those of their libraries in a database.
func (ix *Index) Status(ctx context.Context) (Status, error) {
	if err := ix.WhyNoPlace(); err != nil {
		return Status{}, err
	}
	s := Status{Skipped: []notice.SkippedFile{}}
	var err error
	if s.Database, err = ix.storages.Inspect(ctx); err != nil {
		return Status{}, err
	}
	for i := range ix.folders {
		one, err := ix.statusReader().ReadFolder(ctx, i)
		if err != nil {
			return Status{}, err
		}
		s.Folders = append(s.Folders, one)
	}
	ix.statusReader().CompareAll(ctx, s.Folders)
	ix.surveyFolders(ctx, &s)
	s.Documents = ix.store.CountDocuments()
	s.Chunks, s.Bare = ix.store.CountChunks()
	for i, f := range s.Folders {
		if ix.store.Model.IsWorthStoring() || f.Model == "" || !embed.IsWorthStoring(f.Model) {
			continue
		}
		unembedded, err := ix.store.CountUnembedded(ctx, i)
		if err != nil {
			return Status{}, err
		}
		s.Bare += unembedded
	}
	if s.Refused, err = ix.refusedPassages(ctx); err != nil {
		return Status{}, err
	}
	ix.setHasRecogniser()
	for _, d := range ix.everyDocument() {
		s.addDocument(ix, d)
	}
	s.sort()
	return s, nil
}

// refusedPassages lists the passages that the model refuses, and why.
func (ix *Index) refusedPassages(ctx context.Context) (all []notice.SkippedFile, err error) {
	refused, err := ix.store.RefusedChunks(ctx)
	for _, r := range refused {
		all = append(all, notice.SkippedFile{Path: ix.folders.ShownLines(r.Chunk), Reason: r.Reason})
	}
	return all, err
}
