package index

import (
	"slices"

	"golang.org/x/text/unicode/norm"
)

// A file system keeps "é" as one character or as two, as it is given, and people
// and clients write either. Documents are kept by the path that the file has;
// these functions find them by the others that look the same.

func composed(at location) location {
	return location{at.folder, norm.NFC.String(at.path)}
}

// place puts a document at a place, that of another if there is one.
func (m *memory) place(at location, d *document) {
	m.documents[at] = d
	if key := composed(at); key != at && !slices.Contains(m.decomposed[key], at.path) {
		m.decomposed[key] = append(m.decomposed[key], at.path)
		slices.Sort(m.decomposed[key])
	}
}

// displace takes away the document at a place.
func (m *memory) displace(at location) {
	delete(m.documents, at)
	key := composed(at)
	if key == at {
		return
	}
	rest := slices.DeleteFunc(m.decomposed[key], func(p string) bool { return p == at.path })
	if len(rest) == 0 {
		delete(m.decomposed, key)
		return
	}
	m.decomposed[key] = rest
}

// spellings lists the places of documents whose paths have one composed form.
func (m *memory) spellings(key location) []location {
	var all []location
	if m.documents[key] != nil {
		all = append(all, key)
	}
	for _, p := range m.decomposed[key] {
		all = append(all, location{key.folder, p})
	}
	return all
}

// alike returns the place of the document that a path means: as it is spelt, or
// else in another composition.
func (st *store) alike(at location) (location, bool) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	if st.documents[at] != nil {
		return at, true
	}
	if all := st.spellings(composed(at)); len(all) > 0 {
		return all[0], true
	}
	return at, false
}

// unmeant lists the documents that a glob means only because their paths look
// like that of another document that it means exactly.
func (st *store) unmeant(exactly map[location]bool) map[location]bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	unmeant := make(map[location]bool)
	isExact := func(at location) bool { return exactly[at] }
	for key, others := range st.decomposed {
		if len(others) == 1 && st.documents[key] == nil {
			continue // nothing looks like it
		}
		all := st.spellings(key)
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
