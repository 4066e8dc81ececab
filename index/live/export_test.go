package live

import "vademecum/index/search"

const MostCommons = mostCommons

// ForgetAt forgets a document in memory.
func (st *Store) ForgetAt(at search.Location) { st.forgetAt(at) }

// CountCommons is how many combinations are known.
func (st *Store) CountCommons() int { return len(st.documents.commons) }
