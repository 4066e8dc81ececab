package index

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"vademecum/index/search"
)

// Neighbours lists the searchable documents in the directory of a document, given by its path as
// shown, whose paths come before and after its own, nearest first, at most limit of each.
func (ix *Index) Neighbours(ctx context.Context, shownPath string, limit int) (before, after []Document, err error) {
	dir := path.Dir(shownPath)
	type near struct {
		path string
		*search.Document
	}
	var all []near
	for _, d := range ix.store.Matching(search.Filter{}) {
		if p := ix.folders.ShownPath(d.Location()); d.SkipReason == "" && p != shownPath && isDirectlyIn(p, dir) {
			all = append(all, near{p, d})
		}
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Compare(a.path, b.path) })
	at, _ := slices.BinarySearchFunc(all, shownPath, func(n near, p string) int { return cmp.Compare(n.path, p) })
	for i := at - 1; i >= max(0, at-limit); i-- {
		before = append(before, ix.describe(all[i].Document))
	}
	for _, n := range all[at:min(len(all), at+limit)] {
		after = append(after, ix.describe(n.Document))
	}
	return before, after, ctx.Err()
}

// isDirectlyIn reports whether a file is directly in a directory; "." is the top one.
func isDirectlyIn(file, dir string) bool {
	at := strings.LastIndexByte(file, '/')
	if dir == "." {
		return at < 0
	}
	return at == len(dir) && file[:at] == dir
}
