package upkeep

import (
	"context"
	"sync"
	"time"

	"vademecum/docs"
)

// Files are read ahead of those who prepare them, several at once: where they are not
// in the memory of the system, a disk answers several questions in little more time
// than one, and the processors have enough to do meanwhile. On a busy machine 10,000
// notes that the system had forgotten took 17.9 s with one reader, 7.2 s with four and
// 9.2 s with eight.
const (
	aheadReaders = 4
	// aheadSize is the size in bytes from which files are read by who prepares them,
	// for the sake of memory.
	aheadSize = 256 << 10
)

// fetched is a file that was read.
type fetched struct {
	docs.File
	waits bool // to be read by who prepares it
	began time.Time
	raw   docs.Raw
	err   error // why there is nothing of it
}

// fetch reads a file that is not to be skipped. A panic is one of its errors.
func (k *Keeper) fetch(ctx context.Context, folder int, f docs.File) fetched {
	l := fetched{File: f, began: time.Now()}
	if f.Skip == "" {
		l.err = k.guard.Catch("read a file", func() (err error) {
			l.raw, err = k.folders[folder].Load(ctx, f.Path)
			return err
		})
	}
	return l
}

// offerFetched feeds files, read unless they are large, until they are out or ctx ends.
func (k *Keeper) offerFetched(ctx context.Context, folder int, feed chan<- fetched, files []docs.File) {
	defer close(feed)
	names := make(chan docs.File)
	var readers sync.WaitGroup
	for range min(aheadReaders, len(files)) {
		readers.Go(func() {
			for f := range names {
				l := fetched{File: f, waits: true}
				if f.Size < aheadSize {
					l = k.fetch(ctx, folder, f)
				}
				select {
				case feed <- l:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	offer(ctx, names, files)
	readers.Wait()
}
