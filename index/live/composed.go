package live

import (
	"slices"

	"vademecum/index/search"

	"golang.org/x/text/unicode/norm"
)

// A file system stores "é" as one or two characters, as given, and people and clients write either
// form. Documents are stored by the path of the file; these functions find them by equivalent
// spellings.

// NFCLocation returns the location with its path in composed form (Unicode NFC).
func NFCLocation(at search.Location) search.Location {
	return search.Location{Folder: at.Folder, Path: norm.NFC.String(at.Path)}
}

// Put adds a document at its location, which must be free.
func (m *Documents) Put(d *search.Document) {
	at := d.Location()
	m.count(d, 1)
	m.assignNumber(d)
	if key := NFCLocation(at); key != at && !slices.Contains(m.decomposed[key], at.Path) {
		m.decomposed[key] = append(m.decomposed[key], at.Path)
		slices.Sort(m.decomposed[key])
	}
}

// RemoveAt removes the document at a location, if there is one.
func (m *Documents) RemoveAt(at search.Location) {
	if d := m.DocumentAt(at); d != nil {
		m.count(d, -1)
		m.SetUnembedded(d, nil)
		m.releaseNumber(d)
	}
	key := NFCLocation(at)
	if key == at {
		return
	}
	rest := slices.DeleteFunc(m.decomposed[key], func(p string) bool { return p == at.Path })
	if len(rest) == 0 {
		delete(m.decomposed, key)
		return
	}
	m.decomposed[key] = rest
}

// spellings returns the locations of the documents whose locations have the given composed form.
func (m *Documents) spellings(key search.Location) []search.Location {
	var all []search.Location
	if m.DocumentAt(key) != nil {
		all = append(all, key)
	}
	for _, p := range m.decomposed[key] {
		all = append(all, search.Location{Folder: key.Folder, Path: p})
	}
	return all
}

// FindEquivalentLocation returns the location of the document at a path, as spelt or else in an equivalent
// spelling.
func (st *Store) FindEquivalentLocation(at search.Location) (search.Location, bool) {
	all := readLocked(st, func(docs *Documents) []search.Location {
		if docs.DocumentAt(at) != nil {
			return []search.Location{at}
		}
		return docs.spellings(NFCLocation(at))
	})
	if len(all) == 0 {
		return at, false
	}
	return all[0], true
}

// LookalikesOf returns the locations of documents that a glob matches only because their paths are
// equivalent, in Unicode, to that of another document. exactMatches are the locations that the glob
// matches exactly.
func (st *Store) LookalikesOf(exactMatches map[search.Location]bool) map[search.Location]bool {
	return readLocked(st, func(docs *Documents) map[search.Location]bool { return docs.onlyLookalikes(exactMatches) })
}

func (m *Documents) onlyLookalikes(exactly map[search.Location]bool) map[search.Location]bool {
	unmeant := make(map[search.Location]bool)
	isExact := func(at search.Location) bool { return exactly[at] }
	for key, others := range m.decomposed {
		if len(others) == 1 && m.DocumentAt(key) == nil {
			continue // no other spelling exists
		}
		all := m.spellings(key)
		if !slices.ContainsFunc(all, isExact) {
			continue
		}
		for _, at := range all {
			if !isExact(at) {
				unmeant[at] = true
			}
		}
	}
	return unmeant
}
