// Package roots manages the folders of an index: where each index is stored, which processes index and
// embed it, how its documents are named, and which documents a given path may denote. It deals with
// folders and paths, not with the documents in them.
package roots

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"

	"vademecum/docs"
)

// Root is one folder of an index.
type Root struct {
	*docs.Folder
	// prefix of shown paths: "" if there is one folder, otherwise "name/"; see assignStorages
	prefix  string
	Storage Storage
	Barrier *EventBarrier // lets other processes wait until changes of files are indexed
}

// Set holds the folders of an index; everywhere a folder is identified by its position in the set.
type Set []Root

// Open opens folders with their storages. The folders are opened concurrently, as a drive
// may not answer. If the set is
// part of a larger one, names are the names of the folders there; otherwise names is empty.
func Open(dirs, names []string, opener docs.Opener, storages Storages) (Set, error) {
	if len(dirs) == 0 {
		return nil, errors.New("no folder given")
	}
	opened, errs := make([]*docs.Folder, len(dirs)), make([]error, len(dirs))
	var group sync.WaitGroup
	for i, dir := range dirs {
		group.Go(func() { opened[i], errs[i] = opener.Open(dir) })
	}
	group.Wait()
	var s Set
	for _, f := range opened {
		if f != nil {
			s = append(s, Root{Folder: f})
		}
	}
	if err := cmp.Or(errs...); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s.assignStorages(names, storages)
}

// OpenRemote returns folders whose files are on other machines, for the given libraries. Otherwise
// it is like Open.
func OpenRemote(libraries, names []string, storages Storages) (Set, error) {
	var s Set
	for _, name := range libraries {
		s = append(s, Root{Folder: docs.NewRemote(name)})
	}
	return s.assignStorages(names, storages)
}

// assignStorages assigns storages to the folders, and names unless they are given.
func (s Set) assignStorages(names []string, storages Storages) (_ Set, err error) {
	for i, f := range s {
		if s[i].Storage, err = storages.StorageOf(f.Folder, i); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s[i].Barrier = eventBarrierForIndex(s[i].Storage.Describe().Name)
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

// excludeIndexes prevents the files of the indexes from being opened as documents, in whichever
// folder they are.
func (s Set) excludeIndexes() {
	var files []string
	for _, f := range s {
		if file := f.Storage.Describe().File; file != "" {
			files = append(files, file)
		}
	}
	for _, f := range s {
		f.ExcludeIndexes(files)
	}
}

// checkDistinct returns an error if a folder is given twice or is inside another: each file would
// be found twice.
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

// shortNames returns for each of several folders the shortest end of its path that distinguishes
// it, so that no path of a document begins with the names of two folders. A single folder has no
// name.
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

// ambiguousNames returns the folders that need a longer name, because a path that begins with the
// name may be in another folder.
func (s Set) ambiguousNames(names []string) map[int]bool {
	all := make(map[int]bool)
	for i, name := range names {
		for j, other := range names {
			switch {
			case i == j || !strings.HasPrefix(other+"/", name+"/"):
			case name != pathEnd(s[i].Dir(), math.MaxInt): // the path has more elements
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

// Names lists the names that precede the paths of documents. A single folder has no name.
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

// NoFileReason returns why the index of a folder is kept in memory: no file was given, and the user
// has no cache directory. It is nil if every index has a place on disk.
func (s Set) NoFileReason() error {
	for _, f := range s {
		if why := f.Storage.Describe().InMemoryReason; why != nil {
			return fmt.Errorf("there is no place for the index, %w: name a file for it with --index", why)
		}
	}
	return nil
}

// Dirs lists the absolute paths of the folders, as given.
func (s Set) Dirs() []string {
	var dirs []string
	for _, f := range s {
		dirs = append(dirs, f.Dir())
	}
	return dirs
}

// ReleaseLeases releases the leases for all folders, which can be acquired again.
func (s Set) ReleaseLeases() error {
	var errs []error
	for _, f := range s {
		errs = append(errs, f.ReleaseLeases())
	}
	return errors.Join(errs...)
}

// ReleaseLeases releases the leases to index and to embed the folder.
func (r Root) ReleaseLeases() error {
	return errors.Join(r.Storage.IndexingLease().Release(), r.Storage.EmbeddingLease().Release())
}
