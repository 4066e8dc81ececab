package upkeep

import (
	"vademecum/docs"
	"vademecum/index/search"
)

// isMisjudged tells whether a document was left out or indexed by a process that was
// asked otherwise about files that machines made: such a one is read again.
func (k *Keeper) isMisjudged(d *search.Document) bool {
	if k.folders[d.Folder].IncludesGenerated() {
		return docs.IsMadeByMachine(d.Skip)
	}
	return k.store.IsGenerated(d)
}
