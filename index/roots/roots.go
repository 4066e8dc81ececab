// Package roots holds the folders of an index: where the index of each is kept,
// who has its duties, how its documents are called and what a path that somebody
// gives may mean. It knows folders and paths, not what is indexed in them.
package roots

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/lease"
	"vademecum/index/live"
	"vademecum/index/mark"
)

// Root is one folder with its place in the index.
type Root struct {
	*docs.Folder
	prefix string       // of display paths: "" with one folder, else "name/"
	Index  sqlite.Place // of the catalogue

	Indexing  *lease.Lease // the duty to keep the index up to date
	Embedding *lease.Lease // the duty to embed with the model in use

	Marks *mark.Marks // for who watches the folder
}

// Set is the folders of an index; what is said of a folder names it by its number.
type Set []Root

// Wanted says which folders are to be opened, and how.
type Wanted struct {
	Dirs      []string
	Files     []string      // where the index of each is kept; empty: in the user's cache folder
	Generated bool          // what machines made is indexed too, see docs.Folder.IncludeGenerated
	Model     string        // the duty to embed is one for each
	Patience  time.Duration // for how long others are waited for, 0 for ever
}

// Open opens folders.
func Open(w Wanted) (Set, error) {
	if len(w.Dirs) == 0 {
		return nil, errors.New("no folder given")
	}
	if len(w.Files) > 0 && len(w.Files) != len(w.Dirs) {
		return nil, fmt.Errorf("%d index files given for %d folders: give one for each", len(w.Files), len(w.Dirs))
	}
	var s Set
	for i, dir := range w.Dirs {
		f, err := docs.Open(dir)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if w.Generated {
			f.IncludeGenerated()
		}
		at := sqlite.Place{Folder: f.Real(), Patience: w.Patience}
		if len(w.Files) > 0 {
			at.File, err = filepath.Abs(w.Files[i])
		} else {
			at.Own = true
			at.File, at.None = sqlite.DefaultFile(f.Real(), w.Generated, live.SnapshotSuffix)
		}
		s = append(s, Root{Folder: f, Index: at})
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	s.leaveOutIndexes()
	if err := s.checkDistinct(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.name()
	s.nameLeases(w.Model)
	return s, nil
}

// leaveOutIndexes keeps the files of the indexes from being opened as documents,
// in whichever of the folders they lie.
func (s Set) leaveOutIndexes() {
	var files []string
	for _, f := range s {
		if f.Index.File != "" {
			files = append(files, f.Index.File)
		}
	}
	for _, f := range s {
		f.LeaveOut(files)
	}
}

// checkDistinct refuses a folder given twice or lying in another: each file
// would be found twice.
func (s Set) checkDistinct() error {
	for i, a := range s {
		for j, b := range s {
			switch {
			case i == j || !a.Contains(b.Folder):
			case !b.Contains(a.Folder):
				return fmt.Errorf("folder %s lies in %s: give only the outer one", b.Dir(), a.Dir())
			case a.Dir() != b.Dir():
				return fmt.Errorf("folder %s is given twice: %s is the same", a.Dir(), b.Dir())
			default:
				return fmt.Errorf("folder %s is given twice", a.Dir())
			}
		}
	}
	return nil
}

// name gives each of several folders the shortest end of its path that tells
// it from the others.
func (s Set) name() {
	if len(s) == 1 {
		return
	}
	for i := range s {
		for length := 1; ; length++ {
			s[i].prefix = pathEnd(s[i].Dir(), length) + "/"
			if s.isDistinct(i, length) {
				break
			}
		}
	}
}

func (s Set) isDistinct(i, length int) bool {
	end := pathEnd(s[i].Dir(), length)
	for j := range s {
		if j != i && pathEnd(s[j].Dir(), length) == end {
			return false
		}
	}
	return true
}

func pathEnd(dir string, length int) string {
	parts := strings.Split(strings.Trim(filepath.ToSlash(dir), "/"), "/")
	return strings.Join(parts[max(0, len(parts)-length):], "/")
}

// Close closes the folders.
func (s Set) Close() error {
	var errs []error
	for _, f := range s {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// NoPlace returns why there is no place on the disk for the index of a folder,
// which is kept in memory then: no file was named, and the user has no cache
// folder. It is nil when there is one.
func (s Set) NoPlace() error {
	for _, f := range s {
		if f.Index.None != nil {
			return fmt.Errorf("there is no place for the index, %w: name a file for it with --index", f.Index.None)
		}
	}
	return nil
}

// Dirs lists the absolute paths of the folders, as they were given.
func (s Set) Dirs() []string {
	var dirs []string
	for _, f := range s {
		dirs = append(dirs, f.Dir())
	}
	return dirs
}

// nameLeases names the locks that decide about the duties for each folder.
func (s Set) nameLeases(model string) {
	sum := sha256.Sum256([]byte(model))
	for i := range s {
		f := &s[i]
		f.Indexing = lease.New(f.Index.File + ".lock")
		f.Marks = mark.Of(f.Index.File)
		f.Index.Overtaken = f.Indexing.IsLost
		if embed.IsBuiltin(model) { // what it makes is made by who needs it
			f.Embedding = f.Indexing
			continue
		}
		f.Embedding = lease.New(f.Index.File + "." + hex.EncodeToString(sum[:4]) + ".lock")
	}
}

// ReleaseLeases gives all duties back, to be taken again when they are asked for.
func (s Set) ReleaseLeases() error {
	var errs []error
	for _, f := range s {
		errs = append(errs, f.Indexing.Release(), f.Embedding.Release())
	}
	return errors.Join(errs...)
}
