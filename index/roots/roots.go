// Package roots holds the folders of an index: where the index of each is kept,
// who has its duties, how its documents are called and what a path that somebody
// gives may mean. It knows folders and paths, not what is indexed in them.
package roots

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"vademecum/docs"
	"vademecum/index/mark"
)

// Root is one folder with its place in the index.
type Root struct {
	*docs.Folder
	prefix string // of display paths: "" with one folder, else "name/"
	Home   Home
	Marks  *mark.Marks // for who watches the folder
}

// Set is the folders of an index; what is said of a folder names it by its number.
type Set []Root

// Open opens folders, each with its home. What machines made is indexed too if
// generated says so, see docs.Folder.IncludeGenerated.
func Open(dirs []string, generated bool, homes Homes) (Set, error) {
	if len(dirs) == 0 {
		return nil, errors.New("no folder given")
	}
	var s Set
	for _, dir := range dirs {
		f, err := docs.Open(dir)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s = append(s, Root{Folder: f})
	}
	return s.settle(generated, homes)
}

// Away is the folders that other machines see, by the names of their homes.
func Away(names []string, generated bool, homes Homes) (Set, error) {
	var s Set
	for _, name := range names {
		s = append(s, Root{Folder: docs.Away(name)})
	}
	return s.settle(generated, homes)
}

// settle gives folders their homes and names.
func (s Set) settle(generated bool, homes Homes) (_ Set, err error) {
	for i, f := range s {
		if generated {
			f.IncludeGenerated()
		}
		if s[i].Home, err = homes.Of(f.Folder, i); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s[i].Marks = mark.Of(s[i].Home.Name())
	}
	s.leaveOutIndexes()
	if err := s.checkDistinct(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.name()
	return s, nil
}

// leaveOutIndexes keeps the files of the indexes from being opened as documents,
// in whichever of the folders they lie.
func (s Set) leaveOutIndexes() {
	var files []string
	for _, f := range s {
		if file := f.Home.File(); file != "" {
			files = append(files, file)
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
		if why := f.Home.NoPlace(); why != nil {
			return fmt.Errorf("there is no place for the index, %w: name a file for it with --index", why)
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

// ReleaseDuties gives all duties back, to be taken again when they are asked for.
func (s Set) ReleaseDuties() error {
	var errs []error
	for _, f := range s {
		errs = append(errs, f.ReleaseDuties())
	}
	return errors.Join(errs...)
}

// ReleaseDuties gives the duties for the folder back.
func (r Root) ReleaseDuties() error {
	return errors.Join(r.Home.Indexing().Release(), r.Home.Embedding().Release())
}
