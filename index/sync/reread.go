package sync

import (
	"context"

	"vademecum/index/ingest"
	"vademecum/index/search"
)

// Reread indexes a file again, which may be a picture, including the recognised text of its pages.
// The error is ingest.ErrFileRemoved if the file does not exist.
func (x *Indexer) Reread(ctx context.Context, at search.Location) error {
	files, err := x.Folders[at.Folder].Scan(ctx, at.Path)
	if err != nil {
		return err
	}
	if len(files) != 1 || files[0].Path != at.Path {
		return ingest.ErrFileRemoved
	}
	file := files[0]
	if file.NeedsOCR() {
		file.Skip = ""
	}
	err = x.Guard.Catch("index a file", func() error {
		_, err := x.readInBackground(ctx, &backgroundFile{at: at, file: file, force: true}, file)
		return err
	})
	x.Embedding.Wake()
	x.Fresh.SignalChange()
	return err
}
