package ranking

import (
	"path"
	"slices"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/search"
)

// draftWords are what people call folders and files that hold what is not the text that
// counts: written before it, or left behind by it.
const draftWords = "draft drafts wip old older backup backups bak copy copies archive archives archived obsolete outdated deprecated superseded trash"

// unspacedDraftWords are the same in writing without spaces, where they stand anywhere
// in a name.
const unspacedDraftWords = "草稿 初稿 旧版 舊版 备份 備份 副本 存档 存檔 归档 歸檔 废弃 廢棄 回收站 下書き コピー"

// isDraft reports whether a document says of itself that it is no final text, by its path
// or its front matter.
func isDraft(d *search.Document) bool {
	name := strings.ToLower(strings.TrimSuffix(d.Path, path.Ext(d.Path)))
	words := strings.FieldsFunc(name, isSeparator)
	for word := range strings.FieldsSeq(draftWords) {
		if slices.Contains(words, word) {
			return true
		}
	}
	for word := range strings.FieldsSeq(unspacedDraftWords) {
		if strings.Contains(name, word) {
			return true
		}
	}
	return slices.ContainsFunc(d.Meta.Fields, saysDraft)
}

// saysDraft reports whether a field of front matter does: "draft: true", "status: Draft".
func saysDraft(f meta.Field) bool {
	says := func(what string) bool {
		return slices.ContainsFunc(f.Values, func(v string) bool { return meta.Fold(v) == what })
	}
	return f.Key == "draft" && says("true") || f.Key == "status" && says("draft")
}

// isDraftOf reports whether of two that say nearly the same one is a draft of the other, or a copy
// of it that was put away in an archive.
func isDraftOf(d, other *search.Document) bool {
	if isArchive(d) != isArchive(other) {
		return isArchive(d)
	}
	return isDraft(d) && !isDraft(other)
}

// isFinalVersionOf reports whether a passage stands for a draft of it that says a little more: it
// answers about as well.
func isFinalVersionOf(c, draft *search.Candidate) bool {
	return isDraftOf(draft.Document, c.Document) && c.Score >= aboutAsGood*draft.Score
}
