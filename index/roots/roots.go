// Package roots holds the folders of an index: where the index of each is kept,
// who has its duties, how its documents are called and what a path that somebody
// gives may mean. It knows folders and paths, not what is indexed in them.
package roots

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"vademecum/docs"
)

// Root is one folder with its place in the index.
type Root struct {
	*docs.Folder
	prefix  string // of display paths: "" with one folder, else "name/"; see assignStorages
	Storage Storage
	Marks   *Marks // for whoever watches the folder
}

// Set is the folders of an index; what is said of a folder names it by its number.
type Set []Root

// Open opens folders, each with its storage, by docs.Open or docs.OpenAllowMissing. What machines made
// is indexed too if generated says so, see docs.Folder.IncludeGenerated. Of a set that is
// some folders of a larger one, names are those that they have there; else there are none.
func Open(dirs, names []string, open func(dir string) (*docs.Folder, error), generated bool, storages Storages) (Set, error) {
	if len(dirs) == 0 {
		return nil, errors.New("no folder given")
	}
	var s Set
	for _, dir := range dirs {
		f, err := open(dir)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s = append(s, Root{Folder: f})
	}
	return s.assignStorages(names, generated, storages)
}

// OpenRemote is the folders that other machines see, by those of their storages. The rest is as
// with Open.
func OpenRemote(libraries, names []string, generated bool, storages Storages) (Set, error) {
	var s Set
	for _, name := range libraries {
		s = append(s, Root{Folder: docs.NewRemote(name)})
	}
	return s.assignStorages(names, generated, storages)
}

// assignStorages gives folders their storages, and their names unless they have some.
func (s Set) assignStorages(names []string, generated bool, storages Storages) (_ Set, err error) {
	for i, f := range s {
		if generated {
			f.IncludeGenerated()
		}
		if s[i].Storage, err = storages.Of(f.Folder, i); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s[i].Marks = MarksForIndex(s[i].Storage.Name())
	}
	s.excludeIndexes()
	if err := s.checkDistinct(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if len(names) == 0 {
		names = s.shortNames()
	}
	for i, name := range names {
		s[i].prefix = name + "/"
	}
	return s, nil
}

// excludeIndexes keeps the files of the indexes from being opened as documents,
// in whichever of the folders they lie.
func (s Set) excludeIndexes() {
	var files []string
	for _, f := range s {
		if file := f.Storage.File(); file != "" {
			files = append(files, file)
		}
	}
	for _, f := range s {
		f.ExcludeIndexes(files)
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

// shortNames gives each of several folders the shortest end of its path that tells it
// from the others, so that no path of a document begins with the names of two. One
// folder alone has no name.
func (s Set) shortNames() []string {
	if len(s) == 1 {
		return nil
	}
	names, lengths := make([]string, len(s)), make([]int, len(s))
	for {
		for i, f := range s {
			names[i] = pathEnd(f.Dir(), lengths[i]+1)
		}
		unclear := s.ambiguousNames(names)
		if len(unclear) == 0 {
			return names
		}
		for i := range unclear {
			lengths[i]++
		}
	}
}

// ambiguousNames lists the folders whose names have to be longer: a path that begins with one
// may be of another folder.
func (s Set) ambiguousNames(names []string) map[int]bool {
	all := make(map[int]bool)
	for i, name := range names {
		for j, other := range names {
			switch {
			case i == j || !strings.HasPrefix(other+"/", name+"/"):
			case name != pathEnd(s[i].Dir(), math.MaxInt): // there is more of its path
				all[i] = true
			case other != pathEnd(s[j].Dir(), math.MaxInt):
				all[j] = true
			}
		}
	}
	return all
}

func pathEnd(dir string, length int) string {
	parts := strings.Split(strings.Trim(filepath.ToSlash(dir), "/"), "/")
	return strings.Join(parts[max(0, len(parts)-length):], "/")
}

// Names lists what the folders are called in front of the paths of their documents. One
// folder alone has no name.
func (s Set) Names() (names []string) {
	for _, f := range s {
		if f.prefix != "" {
			names = append(names, strings.TrimSuffix(f.prefix, "/"))
		}
	}
	return names
}

// Close closes the folders.
func (s Set) Close() error {
	var errs []error
	for _, f := range s {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// WhyNoPlace returns why there is no place on the disk for the index of a folder,
// which is kept in memory then: no file was named, and the user has no cache
// folder. It is nil when there is one.
func (s Set) WhyNoPlace() error {
	for _, f := range s {
		if why := f.Storage.WhyNoPlace(); why != nil {
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
	return errors.Join(r.Storage.Indexing().Release(), r.Storage.Embedding().Release())
}
