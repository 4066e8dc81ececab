package ingest

import (
	"vademecum/docs"
	"vademecum/index/search"
)

// IsMisjudged reports whether a document was left out or indexed by a process with another
// setting for machine-made files: then it is read again.
func (r *Reader) IsMisjudged(d *search.Document) bool {
	if r.Folders[d.Folder].IncludesGenerated() {
		return docs.IsGenerated(d.Skip)
	}
	return r.IsGenerated(d)
}
