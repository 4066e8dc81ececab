package index

import (
	"context"

	"vademecum/embed"
	"vademecum/index/notice"
	"vademecum/index/store/catalog"
)

// Status describes the content of the folders' indexes.
type Status struct {
	Database         *catalog.DatabaseStatus `json:"database,omitempty"` // the database that stores the indexes, if any
	Folders          []FolderStatus          `json:"folders"`
	Documents        int                     `json:"documents"` // number of searchable documents
	Chunks           int                     `json:"passages"`
	UnembeddedChunks int                     `json:"passages_without_vector"`
	Skipped          []notice.SkippedFile    `json:"skipped"`
	GuessedEncodings []GuessedEncoding       `json:"guessed_encodings,omitempty"`
	// passages that the model refused, with the reasons
	RefusedPassages []notice.SkippedFile `json:"refused_by_model,omitempty"`
	// number of scanned pages whose text is not recognised
	PagesToRecognise int `json:"pages_to_recognise,omitempty"`
	// number of picture files whose text is not recognised
	PicturesToRecognise int `json:"pictures_to_recognise,omitempty"`
	// number of picture files that no installed program can convert
	UnconvertiblePictures int `json:"pictures_to_convert,omitempty"`
	// number of documents with recognised text, even if some of their pages are not recognised yet
	RecognisedDocuments int `json:"recognised,omitempty"`
	// documents with missing parts, and the reasons
	PartlyRead []notice.SkippedFile `json:"partly_read,omitempty"`
}

// GuessedEncoding is a text file whose encoding was guessed.
type GuessedEncoding struct {
	Path     string `json:"path"`
	Encoding string `json:"encoding"`
}

// Status reads the content of the indexes, for an Index that is not loaded. It reads no file,
// embeds nothing and changes nothing: damage is only reported. Folders are scanned, for a few
// seconds at most: they may have files that no run has reached, folders that are excluded by name,
// or files other than those of their libraries in a database.
func (ix *Index) Status(ctx context.Context) (Status, error) {
	if err := ix.NoFileReason(); err != nil {
		return Status{}, err
	}
	s := Status{Skipped: []notice.SkippedFile{}}
	var err error
	if ix.database != nil {
		if s.Database, err = ix.database.Inspect(ctx); err != nil {
			return Status{}, err
		}
	}
	for i := range ix.folders {
		one, err := ix.syncer.ReadStatus(ctx, i)
		if err != nil {
			return Status{}, err
		}
		s.Folders = append(s.Folders, one)
	}
	ix.syncer.RecordMismatches(ctx, s.Folders)
	ix.surveyFolders(ctx, &s)
	s.Documents = ix.store.CountDocuments()
	s.Chunks, s.UnembeddedChunks = ix.store.CountChunks()
	for i, f := range s.Folders {
		if ix.store.ModelProperties.IsWorthStoring() || f.Model == "" || !embed.IsWorthStoring(f.Model) {
			continue
		}
		unembedded, err := ix.store.CountWithoutSavedVector(ctx, i)
		if err != nil {
			return Status{}, err
		}
		s.UnembeddedChunks += unembedded
	}
	if s.RefusedPassages, err = ix.refusedPassages(ctx); err != nil {
		return Status{}, err
	}
	ix.setHasRecogniser()
	for _, d := range ix.everyDocument() {
		s.addDocument(ix, d)
	}
	s.sort()
	return s, nil
}

// refusedPassages lists the passages that the model refused, with the reasons.
func (ix *Index) refusedPassages(ctx context.Context) (all []notice.SkippedFile, err error) {
	refused, err := ix.store.RefusedChunks(ctx)
	for _, r := range refused {
		all = append(all, notice.SkippedFile{Path: ix.folders.ShownPathAndLines(r.Chunk), Reason: r.Reason})
	}
	return all, err
}
