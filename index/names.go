package index

import (
	"vademecum/index/search"
)

// fewLinks is how many documents that link to another are worth their names: to
// what more link, most are an index or a log.
const fewLinks = 5

// linkedFrom lists the documents that link to one, if they are few.
func (ix *Index) linkedFrom(d *search.Document) []string {
	all := ix.searcher.Linking(d)
	if len(all) > fewLinks {
		return nil
	}
	var paths []string
	for _, from := range all {
		paths = append(paths, ix.folders.Show(from.At()))
	}
	return paths
}
