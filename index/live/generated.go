package live

import (
	"vademecum/docs/kind"
	"vademecum/index/search"
)

// IsGenerated tells whether machines made the file of a document for machines. Either
// all of its chunks say so or none.
func (st *Store) IsGenerated(d *search.Document) bool {
	if len(d.Slots) == 0 {
		return false
	}
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	c := st.chunkAt(d.Slots[0])
	return c.Document == d && c.Mark.Kind == kind.Generated
}
