package ranking

import (
	"path"
	"slices"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// draftWords are words in the names of folders and files that mark texts as drafts, copies or outdated.
const draftWords = "draft drafts wip old older backup backups bak copy copies archive archives archived obsolete outdated deprecated superseded trash"

// unspacedDraftWords are words that mark texts as drafts, copies or outdated in scripts without
// spaces, where they may occur anywhere in a name.
const unspacedDraftWords = "草稿 初稿 草案 旧稿 舊稿 旧版 舊版 备份 備份 副本 存档 存檔 归档 歸檔 废弃 廢棄 回收站 下書き コピー"

// isDraft reports whether the path or front matter of a document marks it as a draft.
func isDraft(d *search.Document) bool {
	name := strings.ToLower(strings.TrimSuffix(d.Path, path.Ext(d.Path)))
	return slices.ContainsFunc(strings.FieldsFunc(name, isSeparator), isDraftWord) ||
		withoutUnspacedDraftWords(name) != name || slices.ContainsFunc(d.Meta.Fields, saysDraft)
}

// isDraftWord reports whether a word of a name marks a draft: "draft", or "draft2" of several.
func isDraftWord(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	for marking := range strings.FieldsSeq(draftWords) {
		if word == marking {
			return true
		}
	}
	return false
}

func withoutUnspacedDraftWords(name string) string {
	for word := range strings.FieldsSeq(unspacedDraftWords) {
		name = strings.ReplaceAll(name, word, " ")
	}
	return name
}

// nameWithoutDraft lists the words of the name of a file, without those that mark it as a draft and the
// numbers after them: "plan" for "plan-bak-2024.md" and "plan (copy 2).md".
func nameWithoutDraft(file string) (words []string) {
	name := strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	isMarked := false
	for _, word := range strings.FieldsFunc(withoutUnspacedDraftWords(name), isSeparator) {
		switch {
		case isDraftWord(word):
			isMarked = true
		case !isMarked || strings.Trim(word, "0123456789") != "":
			words = append(words, word)
		}
	}
	return words
}

// isDraftOfSameName reports whether one of two documents is a draft of the other, judged by the names of
// their files: "plan (draft).md" or "drafts/plan.md", and "plan.md".
func isDraftOfSameName(a, b *search.Document) bool {
	return isDraft(a) != isDraft(b) && slices.Equal(nameWithoutDraft(a.Path), nameWithoutDraft(b.Path))
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

// isNamedAsDraft reports whether a question names a draft by a word that the names of its final version do
// not have, such as "archive", so that it means the draft.
func isNamedAsDraft(asked map[string]float64, draft, final *search.Document) bool {
	of := nameTerms(final.Path, final.Title)
	for term := range nameTerms(draft.Path, draft.Title) {
		if _, isCommon := of[term]; !isCommon && asked[term] > 0 {
			return true
		}
	}
	return false
}

// nameTerms returns the terms of names, or of the phrasings of a question as names are compared with it.
func nameTerms(names ...string) map[string]float64 {
	return analysis.NewQuestion(strings.Join(names, "\n")).NameTerms
}
