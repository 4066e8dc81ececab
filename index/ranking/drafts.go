package ranking

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/meta"
	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// draftWords are words in the names of folders and files that mark texts as drafts or outdated.
const draftWords = "draft drafts wip old older backup backups bak archive archives archived obsolete outdated deprecated superseded trash"

// unspacedDraftWords are the draftWords of scripts without spaces, in which they may occur anywhere in
// a name. A word precedes those that are part of it.
const unspacedDraftWords = "草稿 初稿 草案 旧稿 舊稿 旧版 舊版 备份 備份 副本 存档 存檔 归档 歸檔 废弃 廢棄 回收站 下書き"

// finalDraftWords are the draftWords in Hangul and Katakana, of which each ends a word: the name of a
// department may have the same letters within it.
const finalDraftWords = "コピー 복사본 사본 초안"

// copyWords are words that mark the name of a copy or an older version at its end, and some of them at its
// beginning. Names of other texts have them too, so they count only beside a file with the rest of the
// name, or as the name of a folder.
const copyWords = "copy copies kopie kopien copie copia copias cópia cópias kopia kopi alt alte altes sicherung sicherungskopie entwurf veraltet " +
	"ancien ancienne sauvegarde brouillon antiguo antigua borrador vecchio vecchia bozza antigo antiga rascunho oud oude previous prev"

// copyPrepositions follow a word of copyWords at the beginning of a name: "Copy of plan.md". Without one,
// the word is part of the name: "Copy number variation.md".
const copyPrepositions = "of von de del di do da d"

// unspacedCopyWords are the same as copyWords, in scripts without spaces.
const unspacedCopyWords = "旧 舊 复件 複件 复本 複本 拷贝 拷貝 複製"

// draftMarks, copyMarks and prepositions hold draftWords, copyWords and copyPrepositions as sets.
var draftMarks, copyMarks, prepositions = setOf(draftWords), setOf(copyWords), setOf(copyPrepositions)

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// markedName is a name of a file or folder, in lower case, with what marks it as that of a draft or copy.
type markedName struct {
	words        []string // the name without the marks, and without the numbers after them
	isDraft      bool     // it is marked, whatever other files there are
	mayBeOfACopy bool     // it is marked by what counts only beside the original
}

// parseMarkedName returns the words and marks of a name without extension: "plan" for "plan-bak-2024" and
// "Plan (copy 2)".
func parseMarkedName(name string) (m markedName) {
	name = strings.ToLower(name)
	if rest := withoutCopyNumber(name); rest != "" && rest != name {
		name, m.mayBeOfACopy = rest, true
	}
	name = m.cutUnspaced(name)
	words := strings.FieldsFunc(name, isSeparator)
	for len(words) > 2 && copyMarks[words[0]] && prepositions[words[1]] {
		words, m.mayBeOfACopy = words[2:], true
	}
	for end := copyEnd(words); end < len(words); end = copyEnd(words) {
		words, m.mayBeOfACopy = words[:end], true
	}
	isAfterMark := false
	for _, word := range words {
		switch {
		case draftMarks[withoutNumber(word)]:
			m.isDraft, isAfterMark = true, true
		case !isAfterMark || withoutNumber(word) != "":
			m.words = append(m.words, word)
		}
	}
	return m
}

// withoutCopyNumber returns a name without a number of one or two digits in parentheses at its end, which
// systems and browsers append to the name of a copy.
func withoutCopyNumber(name string) string {
	rest := strings.TrimSuffix(strings.TrimSuffix(name, ")"), "）")
	digits := len(rest) - len(withoutNumber(rest))
	rest = withoutNumber(rest)
	isOpen := strings.HasSuffix(rest, "(") || strings.HasSuffix(rest, "（")
	if lastRune(name) != ')' && lastRune(name) != '）' || digits < 1 || digits > 2 || !isOpen {
		return name
	}
	return strings.TrimRight(rest, " _(（")
}

// cutUnspaced returns a name with a mark from draftWords instead of each of unspacedDraftWords, and
// without those of unspacedCopyWords at its ends.
func (m *markedName) cutUnspaced(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return name
	}
	for word := range strings.FieldsSeq(unspacedDraftWords) {
		for _, particle := range []string{"的", "の", ""} {
			name = strings.ReplaceAll(name, particle+word, " draft ")
		}
	}
	for word := range strings.FieldsSeq(finalDraftWords) {
		name = cutFinal(name, word)
	}
	name = strings.TrimFunc(name, isSeparator)
	for word := range strings.FieldsSeq(unspacedCopyWords) {
		rest, isFirst := strings.CutPrefix(name, word)
		rest, isLast := strings.CutSuffix(rest, word)
		if isFirst || isLast {
			name, m.mayBeOfACopy = strings.TrimSuffix(rest, "的"), true
		}
	}
	return name
}

// cutFinal returns a name with a mark from draftWords instead of a word of finalDraftWords, wherever no letter
// follows that.
func cutFinal(name, word string) string {
	var kept strings.Builder
	for {
		before, after, found := strings.Cut(name, word)
		switch {
		case !found:
			return kept.String() + name
		case after == "" || isSeparator(firstRune(after)):
			kept.WriteString(strings.TrimSuffix(before, "の") + " draft ")
		default:
			kept.WriteString(before + word)
		}
		name = after
	}
}

// copyEnd returns the number of words before those at the end of a name that mark a copy.
func copyEnd(words []string) int {
	end := len(words)
	for end > 1 && withoutNumber(words[end-1]) == "" {
		end-- // a number counts only after a mark
	}
	if end == 0 || !copyMarks[withoutNumber(words[end-1])] {
		return len(words)
	}
	return end - 1
}

func withoutNumber(word string) string { return strings.TrimRight(word, "0123456789") }

// nameOf returns the name of the file of a document, without its extension.
func nameOf(d *search.Document) string {
	return strings.TrimSuffix(path.Base(d.Path), path.Ext(d.Path))
}

// isDraft reports whether the path or front matter of a document marks it as a draft.
func isDraft(d *search.Document) bool {
	return countMarksOutsideName(d) > 0 || parseMarkedName(nameOf(d)).isDraft
}

// countMarksOutsideName returns how many folders of a document mark it as a draft, and 1 for its front
// matter.
func countMarksOutsideName(d *search.Document) (marks int) {
	if slices.ContainsFunc(d.Meta.Fields, saysDraft) {
		marks++
	}
	folders := path.Dir(d.Path)
	if folders == "." {
		return marks
	}
	for folder := range strings.SplitSeq(folders, "/") {
		if m := parseMarkedName(folder); m.isDraft || m.mayBeOfACopy && len(m.words) == 0 {
			marks++
		}
	}
	return marks
}

// isDraftOfSameName reports whether d is a draft or copy of another document, judged by the names of their
// files: "plan (draft).md", "Copy of plan.md" or "drafts/plan.md", and "plan.md".
func isDraftOfSameName(d, other *search.Document) bool { return compareMarks(d, other) > 0 }

// compareMarks returns how many more marks of drafts and copies d has than another document, the name of
// whose file is otherwise the same; 0 if the names are not.
func compareMarks(d, other *search.Document) int {
	m, o := parseMarkedName(nameOf(d)), parseMarkedName(nameOf(other))
	if len(m.words) == 0 || !slices.Equal(m.words, o.words) {
		return 0
	}
	return countMarks(d, m) - countMarks(other, o)
}

// countMarks returns how many names mark a document, the name of whose file is m, as a draft or copy.
func countMarks(d *search.Document, m markedName) int {
	marks := countMarksOutsideName(d)
	if m.isDraft || m.mayBeOfACopy {
		marks++
	}
	return marks
}

// draftStatuses are values of a status in front matter that say that a text does not hold, or does not yet
// hold.
var draftStatuses = setOf(draftWords + " replaced withdrawn revoked retired invalid expired entwurf ersetzt veraltet ungültig aufgehoben zurückgezogen " +
	"草稿 初稿 草案 作废 已作废 废止 已废止 失效 已失效 过期 已过期 旧版")

// successorKeys are the keys of front matter that name the text that replaces this one, and noSuccessor the
// values of those where there is none.
var successorKeys, noSuccessor = setOf("superseded superseded_by superseded-by supersededby replaced_by replaced-by replacedby"),
	map[string]bool{"": true, "false": true, "no": true, "none": true, "n/a": true, "-": true, "null": true}

// saysDraft reports whether a field of front matter marks a draft or an outdated text: "draft: true",
// "status: Superseded" or "superseded_by: x".
func saysDraft(f meta.Field) bool {
	if successorKeys[f.Key] {
		return slices.ContainsFunc(f.Values, func(v string) bool { return !noSuccessor[meta.Fold(v)] })
	}
	isStatus := f.Key == "status" || f.Key == "state" || f.Key == "状态"
	return slices.ContainsFunc(f.Values, func(v string) bool {
		v = meta.Fold(v)
		return isStatus && draftStatuses[v] || v == "true" && draftMarks[f.Key]
	})
}

// isDraftOf reports whether d is a draft or an archived copy of another document, given that
// passages of both are nearly the same.
func isDraftOf(d, other *search.Document) bool {
	if isArchive(d) != isArchive(other) {
		return isArchive(d)
	}
	return isDraft(d) && !isDraft(other) || isDraftOfSameName(d, other)
}

// isFinalVersionOf reports whether the candidate c is from the final version of the document of draft, and
// can represent it even if the draft says a little more, because it answers about as well.
func isFinalVersionOf(c, draft *search.Candidate) bool {
	return isDraftOf(draft.Document, c.Document) && (c.Score >= aboutAsGood*draft.Score || contentScore(c) >= aboutAsGood*contentScore(draft))
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
