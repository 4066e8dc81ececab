package sync

import (
	"context"

	"vademecum/index/ingest"
	"vademecum/index/search"
)

// RereadFile indexes a file again, which may be a picture, including the recognised text of its pages.
// The error is ingest.ErrFileRemoved if the file does not exist.
func (s *Syncer) RereadFile(ctx context.Context, at search.Location) error {
	files, err := s.Folders[at.Folder].Scan(ctx, at.Path)
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
	err = s.Guard.Catch("index a file", func() error {
		_, err := s.readInBackground(ctx, &backgroundFile{at: at, file: file, force: true}, file)
		return err
	})
	s.Embedding.Wake()
	s.Fresh.SignalChange()
	return err
}
