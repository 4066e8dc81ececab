package index

import (
	"cmp"
	"slices"
	"strconv"

	"vademecum/docs/meta"
	"vademecum/index/search"
)

// Facets count the documents of the best candidates for a query, some hundreds of chunks, by
// properties that can narrow the query; most frequent first.
type Facets struct {
	Documents int
	Folders   []DocumentCount // paths as shown, on every level
	Kinds     []DocumentCount // names of file formats, or else file extensions; "" if none
	Tags      []DocumentCount // including the ancestors of nested tags
	Years     []DocumentCount // latest first
	Languages []DocumentCount // ISO 639 codes of the passages found; unknown languages are left out
}

// facets counts candidates. Those found only by parts of words count only if there are no others.
func (ix *Index) facets(candidates []search.Candidate) Facets {
	folders, kinds, tags, years, languages := make(map[string]int), make(map[string]int), make(map[string]int), make(map[string]int), make(map[string]int)
	counted := make(map[*search.Document]bool)
	spoken := make(map[languageOf]bool)
	areRelated := len(candidates) > 0 && candidates[0].IsRelatedOnly
	for _, c := range candidates {
		d := c.Document
		if d == nil || c.IsRelatedOnly != areRelated {
			continue
		}
		if said := (languageOf{d, c.Traits.Language.Code()}); said.code != "" && !spoken[said] {
			spoken[said] = true
			languages[said.code]++
		}
		if counted[d] {
			continue
		}
		counted[d] = true
		shown := ix.folders.ShownPath(d.Location())
		for i, sign := range shown {
			if sign == '/' {
				folders[shown[:i]]++
			}
		}
		kinds[kindOf(d.Path)]++
		for _, tag := range tagsOf(d) {
			tags[tag]++
		}
		if year := int(d.EffectiveDate()) / 10000; year > 0 {
			years[strconv.Itoa(year)]++
		}
	}
	f := Facets{Documents: len(counted), Folders: sortedTallies(folders), Kinds: sortedTallies(kinds), Tags: sortedTallies(tags), Years: sortedTallies(years), Languages: sortedTallies(languages)}
	slices.SortFunc(f.Years, func(a, b DocumentCount) int { return cmp.Compare(b.Name, a.Name) })
	return f
}

// languageOf is a language of a document's passages.
type languageOf struct {
	document *search.Document
	code     string
}

// tagsOf lists the tags of a document in folded form, with the tags that they are nested in, each
// once.
func tagsOf(d *search.Document) (tags []string) {
	for _, tag := range d.Meta.Tags {
		for t := range meta.TagAndAncestors(meta.Fold(tag)) {
			if !slices.Contains(tags, t) {
				tags = append(tags, t)
			}
		}
	}
	return tags
}
