package ingest

import (
	"context"
	"sync"
	"time"

	"vademecum/docs"
)

// Several files at once are read ahead of the goroutines that prepare them: if files are not cached
// by the system, a disk serves several requests in little more time than one, and the processors
// are busy meanwhile. On a busy machine, 10,000 uncached notes took 17.9 s with one reader, 7.2 s
// with four and 9.2 s with eight.
const (
	aheadReaders = 4
	// aheadSize is the size in bytes from which files are read only when they are prepared, to
	// limit memory.
	aheadSize = 256 << 10
)

// FetchedFile is a file with its content, if it was read.
type FetchedFile struct {
	docs.File
	waits bool // the file is still to be read, by Prepare
	began time.Time
	raw   docs.RawFile
	err   error // why there is no content
}

// Fetch reads a file unless it is to be skipped. Of a picture whose text is to be recognised, it reads only
// the header. A panic is returned as an error.
func (r *Reader) Fetch(ctx context.Context, folder int, f docs.File) FetchedFile {
	l := FetchedFile{File: f, began: time.Now()}
	switch {
	case f.NeedsOCR():
		l.err = r.Guard.Catch("look at a picture", func() error { return r.Folders[folder].CheckNeedsOCR(ctx, f.Path) })
	case f.SkipReason == "":
		l.err = r.Guard.Catch("read a file", func() (err error) {
			l.raw, err = r.Folders[folder].Load(ctx, f.Path)
			return err
		})
	}
	return l
}

// FetchAll reads files, except large ones, and sends all of them to the channel fetched, until there
// are no more or ctx ends. Then it closes the channel.
func (r *Reader) FetchAll(ctx context.Context, folder int, files []docs.File, fetched chan<- FetchedFile) {
	defer close(fetched)
	names := make(chan docs.File)
	var readers sync.WaitGroup
	for range min(aheadReaders, len(files)) {
		readers.Go(func() {
			for f := range names {
				l := FetchedFile{File: f, waits: true}
				if f.Size < aheadSize {
					l = r.Fetch(ctx, folder, f)
				}
				select {
				case fetched <- l:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	for _, f := range files {
		select {
		case names <- f:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
	}
	close(names)
	readers.Wait()
}
