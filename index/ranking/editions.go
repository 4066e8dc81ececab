package ranking

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
)

// isNamedByQuestion reports whether a question names the document of a candidate, or its folder.
func isNamedByQuestion(c *search.Candidate) bool {
	return c.Parts[byName] >= namedByName || c.Parts[byFolder] >= namedByFolder
}

// isNamedMoreThan reports whether a question names the document of one candidate more than that of
// another. The other must then not represent it, whatever it says in addition: the letters of two
// patients have most of their text in common.
func isNamedMoreThan(c, other *search.Candidate) bool {
	if other.HasOtherFormOfName && !c.HasOtherFormOfName {
		return true
	}
	return c.Parts[byName]+c.Parts[byFolder] >= other.Parts[byName]+other.Parts[byFolder]+moreNamed
}

// replaceByOriginals replaces each of the first candidates by the original among its copies, unless
// the question names its current document. A draft is replaced even then, if the question names its final
// version by the same words.
func replaceByOriginals(ctx context.Context, r *Ranking) (err error) {
	first := r.candidates[:min(len(r.candidates), nearDepth)]
	for i := range first {
		r.hashes[first[i].ContentHash] = true
	}
	if r.copies, err = r.view.AppendCopies(ctx, r.copies, r.hashes, r.Filter); err != nil {
		return err
	}
	for i := range r.copies {
		c := &r.copies[i]
		if original := r.originals[c.ContentHash]; original == nil || isOriginal(c.Document, original.Document) {
			r.originals[c.ContentHash] = c
		}
	}
	for i := range r.candidates {
		c := &r.candidates[i]
		original := r.originals[c.ContentHash]
		if original != nil && original.Document != c.Document && isOriginal(original.Document, c.Document) && !r.meansCopy(c, original.Document) {
			c.Chunk = *original
		}
	}
	return nil
}

// meansCopy reports whether the question means the document of a candidate and not its original.
func (r *Ranking) meansCopy(c *search.Candidate, original *search.Document) bool {
	if !isNamedByQuestion(c) {
		return false
	}
	return !isDraftOf(c.Document, original) || isNamedAsDraft(nameTerms(r.wordings()...), c.Document, original)
}

// wordings lists the texts of the phrasings of the question.
func (r *Ranking) wordings() []string {
	all := []string{r.Text}
	for _, p := range r.Phrasings {
		all = append(all, p.Text)
	}
	return all
}

// moveOriginalsFirst moves the most likely original before passages that say nearly the same: a
// chapter before the book made from it, and a page before its draft. The other editions move down by one,
// and stay, because their differences may matter. given is the number of candidates returned before,
// none of which has an edition among these.
func moveOriginalsFirst(candidates []*search.Candidate, given int) {
	top := candidates[:min(len(candidates), max(0, originalsDepth-given))]
	seen := make([]bool, len(top))
	for i := range top {
		if seen[i] {
			continue
		}
		original := i
		for j := i + 1; j < len(top); j++ {
			if seen[j] || !areEditions(top[i], top[j]) {
				continue
			}
			seen[j] = true
			if (top[j].Score >= aboutAsGood*top[i].Score || isFinalVersionOf(top[j], top[i])) && !isNamedMoreThan(top[i], top[j]) && isOriginal(top[j].Document, top[original].Document) {
				original = j
			}
		}
		if original != i {
			gain, part := top[i].Score-top[original].Score, byOriginal
			if compareEditions(top[original].Document, top[i].Document) > 0 {
				part = byEdition
			}
			top[i].AddScore(part, -gain)
			top[original].AddScore(part, gain)
			top[original].SortsBeforeEqualScores = true
			top[i], top[original] = top[original], top[i]
		}
	}
}

// areEditions reports whether two candidates say nearly the same, so that they may be editions of one
// text: from different directories, a page and its draft, or those of two years or versions. Others in one directory are
// more likely letters from a template, or entries of a diary.
func areEditions(a, b *search.Candidate) bool {
	if a.IsRelatedOnly != b.IsRelatedOnly || a.Document == b.Document || !a.Traits.MinHash.MayBeSimilar(b.Traits.MinHash) {
		return false
	}
	isElsewhere := path.Dir(a.Document.Path) != path.Dir(b.Document.Path)
	return isElsewhere && a.Traits.MinHash.IsSimilar(b.Traits.MinHash) || areDraftAndFinal(a, b) || areNamedEditions(a, b)
}

// shortText is the maximum length, in bytes, of a text whose sketch may differ much from that of another
// text only because of two different numbers.
const shortText = 600

// areDraftAndFinal reports whether one of two candidates is from a draft of the document of the other, by
// the names of their files, and their texts are similar.
func areDraftAndFinal(a, b *search.Candidate) bool {
	return areSimilarIfSameName(a, b) && compareMarks(a.Document, b.Document) != 0
}

// areSimilarIfSameName reports whether the texts of two candidates from different documents are similar
// enough to be those of a draft and its final version, if the names of the documents say so.
func areSimilarIfSameName(a, b *search.Candidate) bool {
	if a.Document == b.Document || !a.Traits.MinHash.MayBeSimilar(b.Traits.MinHash) {
		return false
	}
	isShort := a.Span.EndByte-a.Span.StartByte <= shortText && b.Span.EndByte-b.Span.StartByte <= shortText
	return isShort || a.Traits.MinHash.IsSimilarVersion(b.Traits.MinHash)
}

// isOriginal reports whether a is more likely the original of b than a copy: it is not marked as a
// draft, or newer by the year or version in its name, or it has less than half of the passages, like a part of a
// compilation, or else the shorter path.
func isOriginal(a, b *search.Document) bool {
	switch {
	case isDraftOf(b, a):
		return true
	case isDraftOf(a, b):
		return false
	}
	if newer := compareEditions(a, b); newer != 0 {
		return newer > 0
	}
	switch {
	case 2*a.CountChunks() < b.CountChunks():
		return true
	case 2*b.CountChunks() < a.CountChunks():
		return false
	}
	return comparePaths(a.Path, b.Path) < 0
}

// compareEditions compares the years, or the numbers of versions, in the names of two documents of one
// folder whose names differ in nothing else: it is above 0 if a is newer, and 0 if they are not such
// documents.
func compareEditions(a, b *search.Document) int {
	if a.Folder != b.Folder || a.Path == b.Path || path.Dir(a.Path) != path.Dir(b.Path) {
		return 0
	}
	if years := compareYears(path.Base(a.Path), path.Base(b.Path)); years != 0 {
		return years
	}
	return compareVersions(nameOf(a), nameOf(b))
}

// yearInName matches the year in the name of a file.
var yearInName = lazyregexp.New(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:[^0-9]|$)`)

// compareYears compares the first years in two names that are the same otherwise. A name without words,
// as that of an entry of a diary, has none.
func compareYears(a, b string) int {
	year, rest := cutMatch(yearInName, a)
	other, otherRest := cutMatch(yearInName, b)
	if year == "" || other == "" || rest != otherRest || !strings.ContainsFunc(strings.TrimSuffix(rest, path.Ext(rest)), unicode.IsLetter) {
		return 0
	}
	return strings.Compare(year, other)
}

// versionInName matches the number of a version in the name of a file: v2.1, Version 3, rev. 2, 第2版.
var versionInName = lazyregexp.New(`(?i)(?:(?:^|[^\p{L}])(?:v|vers?|version|rev|revision|fassung)[ ._-]{0,2}|版本? ?)([0-9]{1,4}(?:[._][0-9]{1,4}){0,3})(?:[^\p{L}0-9]|$)|第 ?([0-9]{1,4}) ?版`)

// compareVersions compares the numbers of versions in two names that are the same otherwise.
func compareVersions(a, b string) int {
	version, rest := cutMatch(versionInName, a)
	other, otherRest := cutMatch(versionInName, b)
	if version == "" || other == "" || !strings.EqualFold(rest, otherRest) {
		return 0
	}
	return slices.CompareFunc(versionNumbers(version), versionNumbers(other), cmp.Compare[int])
}

func versionNumbers(version string) (numbers []int) {
	for number := range strings.FieldsFuncSeq(version, func(r rune) bool { return r == '.' || r == '_' }) {
		n, _ := strconv.Atoi(number) // digits, as the pattern says
		numbers = append(numbers, n)
	}
	return numbers
}

// cutMatch returns what a group of a pattern first matches in a name, and the rest of the name.
func cutMatch(pattern *lazyregexp.Regexp, name string) (match, rest string) {
	at := pattern.FindStringSubmatchIndex(name)
	if at == nil {
		return "", name
	}
	start, end := at[2], at[3]
	if start < 0 {
		start, end = at[4], at[5]
	}
	return name[start:end], name[:start] + name[end:]
}

// areNamedEditions reports whether two candidates are from editions of one text, for different years or
// of different versions: the names of their documents and their texts are nearly the same.
func areNamedEditions(a, b *search.Candidate) bool {
	return a.Traits.MinHash.IsSimilarVersion(b.Traits.MinHash) && compareEditions(a.Document, b.Document) != 0
}
