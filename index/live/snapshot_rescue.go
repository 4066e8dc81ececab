package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"vademecum/index/catalog"
	"vademecum/index/rank"
	"vademecum/index/vector"
)

// rescueSnapshot takes over the vectors of the snapshot beside a catalogue when
// it is of another one, which is gone, or of a later state of the file, and
// removes it.
func (c *Follower) rescueSnapshot(ctx context.Context, folder int) error {
	s, err := c.openSnapshot()
	if err != nil {
		return nil // there is nothing to rescue
	}
	defer s.Close()
	token, err := c.Values().Get(ctx, "snapshot")
	if err != nil || s.head.token == token {
		return err // it is of another model, or damaged
	}
	const as = vector.In16Bits // whatever the model was: what is rescued is saved in floats
	l := &loading{file: s, folder: folder, source: c, precision: as, Memory: newMemory(as)}
	if l.run() == nil {
		if err := c.Vectors().Keep(ctx, s.head.model, l.Memory.vectorsOf(folder)); err != nil {
			return err
		}
	}
	if c.Health().IsUnsaved() {
		return nil
	}
	return s.removeFile(c.File() + SnapshotSuffix)
}

// removeFile deletes a snapshot unless another is in its place.
func (s *snapshotFile) removeFile(file string) error {
	mine, err := s.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Stat(file); err != nil || !os.SameFile(mine, now) {
		return nil
	}
	_ = s.Close() // no system removes an open file but ours
	return removeIfThere(file)
}

// vectorsOf lists the vectors of the chunks of a folder.
func (m *Memory) vectorsOf(folder int) map[catalog.Key][]float32 {
	all := make(map[catalog.Key][]float32)
	for s, c := range m.Chunks {
		if vec := m.Vectors.At(rank.Slot(s)); vec != nil && c.Document != nil && c.Document.Folder == folder {
			all[c.Key] = vec
		}
	}
	return all
}

// RemoveLeftovers deletes what processes that were killed have left beside a
// file. Only its indexer may, as it alone writes there.
func (st *Store) RemoveLeftovers(file string) error {
	st.saving.Lock() // what this process is writing is not left over
	defer st.saving.Unlock()
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(file)+SnapshotSuffix+temporary) {
			errs = append(errs, removeIfThere(filepath.Join(filepath.Dir(file), e.Name())))
		}
	}
	return errors.Join(errs...)
}

// removeIfThere deletes a file that another process may have deleted already.
func removeIfThere(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
