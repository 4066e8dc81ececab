package ranking

import (
	"path"
	"slices"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/search"
)

// draftWords are words in the names of folders and files that mark texts as drafts, copies or outdated.
const draftWords = "draft drafts wip old older backup backups bak copy copies archive archives archived obsolete outdated deprecated superseded trash"

// unspacedDraftWords are such words in scripts without spaces, where they may occur anywhere in a
// name.
const unspacedDraftWords = "草稿 初稿 旧版 舊版 备份 備份 副本 存档 存檔 归档 歸檔 废弃 廢棄 回收站 下書き コピー"

// isDraft reports whether the path or front matter of a document marks it as a draft.
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

// saysDraft reports whether a field of front matter marks a draft: "draft: true" or "status:
// Draft".
func saysDraft(f meta.Field) bool {
	says := func(what string) bool {
		return slices.ContainsFunc(f.Values, func(v string) bool { return meta.Fold(v) == what })
	}
	return f.Key == "draft" && says("true") || f.Key == "status" && says("draft")
}

// isDraftOf reports whether d is a draft or an archived copy of another document, given that
// passages of both are nearly the same.
func isDraftOf(d, other *search.Document) bool {
	if isArchive(d) != isArchive(other) {
		return isArchive(d)
	}
	return isDraft(d) && !isDraft(other)
}

// isFinalVersionOf reports whether the candidate c is from the final version of the document of draft, and
// can represent it even if the draft says a little more, because its score is about as good.
func isFinalVersionOf(c, draft *search.Candidate) bool {
	return isDraftOf(draft.Document, c.Document) && c.Score >= aboutAsGood*draft.Score
}
