package ranking

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"vademecum/index/search"
	"vademecum/internal/base/script"
)

// foldVersions keeps one of several documents that are translations of each other. They are
// recognised by four properties: their paths differ in one folder, most files in these folders have
// the same names, they are in several languages, and at least one of the two folders is named after
// its language. Fewer would not do: even the records of two patients may have the first three. The
// document in the language of the question is kept, or else the original, at the position of the
// best of them. If the question has a phrase in quotation marks, all documents are kept, as the
// phrase is to be found literally.
func foldVersions(_ context.Context, r *Ranking) error {
	if len(r.quoted) > 0 || !areInSeveralLanguages(r.candidates) {
		return nil
	}
	best := bestOfDocuments(r.candidates)
	languageHint := askedLanguages{languages: script.LikelyLanguages(r.Text), isTraditional: script.IsTraditional(r.Text)}
	folders := r.SimilarFolders()
	into := make(map[*search.Document]*search.Document)
	for _, group := range versionGroups(best) {
		group = slices.DeleteFunc(group, func(v documentVersion) bool { return into[v.document] != nil })
		if len(group) < 2 || !haveSeveralLanguages(group) {
			continue
		}
		trustFolderLanguages(group)
		kept := preferredVersion(group, languageHint, best, folders)
		for _, v := range group {
			if v.document != kept.document && (v.isNamedAfterLanguage() || kept.isNamedAfterLanguage()) && folders.areVersions(kept.place, v.place) {
				into[v.document] = kept.document
			}
		}
	}
	if len(into) > 0 {
		r.foldDocuments(into, best)
		search.SortCandidates(r.candidates)
	}
	return nil
}

// foldDocuments removes the candidates of the documents that into maps to another version. The best
// candidate of each document that is kept gets the best score of its versions.
func (r *Ranking) foldDocuments(into map[*search.Document]*search.Document, best map[*search.Document]topCandidate) {
	raised := make(map[*search.Document]float64)
	for from, to := range into {
		for into[to] != nil {
			to = into[to]
		}
		r.versions[to] = append(r.versions[to], from)
		if best[from].related == best[to].related {
			raised[to] = max(raised[to], best[from].score)
		}
	}
	for _, all := range r.versions {
		slices.SortFunc(all, func(a, b *search.Document) int { return comparePaths(a.Path, b.Path) })
	}
	kept := r.candidates[:0]
	for _, c := range r.candidates {
		if into[c.Document] != nil {
			continue
		}
		if c.Number == best[c.Document].number {
			c.SetScore(byVersion, max(c.Score, raised[c.Document]))
		}
		kept = append(kept, c)
	}
	r.candidates = kept
}

// topCandidate describes the best candidate of a document.
type topCandidate struct {
	number   int
	score    float64
	related  bool
	language script.Language
}

// bestOfDocuments returns the best candidate of each document.
func bestOfDocuments(candidates []search.Candidate) map[*search.Document]topCandidate {
	best := make(map[*search.Document]topCandidate)
	for i := range candidates {
		c := &candidates[i]
		if _, known := best[c.Document]; !known {
			best[c.Document] = topCandidate{c.Number, c.Score, c.IsRelatedOnly, c.Traits.Language}
		}
	}
	return best
}

// documentVersion is a document that may be one of several versions. place is the folder in its path by
// which the paths of the versions differ.
type documentVersion struct {
	document *search.Document
	language script.Language
	place    pathFolder
}

// otherNames lists the names, besides its code, of folders for a language, by that code.
var otherNames = map[string]string{
	"en": "english eng us gb", "de": "german deutsch ger deu", "fr": "french français francais fra", "es": "spanish español espanol spa",
	"pt": "portuguese português portugues br", "it": "italian italiano ita", "nl": "dutch nederlands", "pl": "polish polski", "cs": "czech cz",
	"sv": "swedish svenska", "da": "danish dansk", "no": "norwegian norsk nb nn", "fi": "finnish suomi", "hu": "hungarian magyar", "tr": "turkish türkçe",
	"ru": "russian русский", "uk": "ukrainian українська ua", "zh": "chinese cn tw hk hans hant 中文 汉语 漢語 简体 簡體 繁体 繁體 简体中文 繁體中文",
	"ja": "japanese jp 日本語", "ko": "korean kr 한국어", "ar": "arabic", "fa": "persian farsi", "he": "hebrew", "hi": "hindi", "vi": "vietnamese", "id": "indonesian",
}

// isNamedAfterLanguage reports whether the folder in which a version differs is named after its
// language, such as "pages.de", "zh-CN" and "Deutsch".
func (v documentVersion) isNamedAfterLanguage() bool {
	code := v.language.Code()
	for _, part := range strings.FieldsFunc(strings.ToLower(v.place.name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if code != "" && (part == code || slices.Contains(strings.Fields(otherNames[code]), part)) {
			return true
		}
	}
	return false
}

// versionGroups groups the documents whose paths are the same except for one folder, by the path
// without it.
func versionGroups(best map[*search.Document]topCandidate) [][]documentVersion {
	type key struct {
		folder       int
		parent, rest string
	}
	byRest := make(map[key][]documentVersion)
	for d, top := range best {
		if d.Folder == search.NoFolder || isUsualName(d.Path) {
			continue
		}
		for p := range foldersOf(d.Path) {
			k := key{folder: d.Folder, parent: p.parent, rest: p.rest}
			p.folder = d.Folder
			byRest[k] = append(byRest[k], documentVersion{d, top.language, p})
		}
	}
	var all [][]documentVersion
	for _, group := range byRest {
		if len(group) > 1 {
			slices.SortFunc(group, func(a, b documentVersion) int { return comparePaths(a.document.Path, b.document.Path) })
			all = append(all, group)
		}
	}
	slices.SortFunc(all, func(a, b []documentVersion) int {
		return cmp.Or(comparePaths(a[0].document.Path, b[0].document.Path), cmp.Compare(len(a[0].place.parent), len(b[0].place.parent)))
	})
	return all
}

// isUsualName reports whether a file name is common in many folders with unrelated content.
func isUsualName(p string) bool {
	base := strings.ToLower(path.Base(p))
	return slices.Contains([]string{"index", "_index", "readme", "summary", "license", "licence", "copying", "changelog", "contributing", "todo", "notes", "main", "mod", "__init__"},
		strings.TrimSuffix(base, path.Ext(base)))
}

// areInSeveralLanguages reports whether the candidates differ in language; an unknown language counts as
// one of its own. In most folders they do not, so that there is no need to look for translations.
func areInSeveralLanguages(candidates []search.Candidate) bool {
	for i := range candidates {
		if candidates[i].Traits.Language != candidates[0].Traits.Language {
			return true
		}
	}
	return false
}

// haveSeveralLanguages reports whether documents are in several languages, or in several scripts of
// one, such as "zh" and "zh_TW". A document that is too short for its language to be detected
// counts as different from one in a folder named after its language: a page of commands beside its
// version in "pages.ko".
func haveSeveralLanguages(group []documentVersion) bool {
	first := script.UnknownLanguage
	isUnclear, named := false, 0
	for _, v := range group {
		switch {
		case v.language == script.UnknownLanguage:
			isUnclear = true
			continue
		case first == script.UnknownLanguage:
			first = v.language
		case v.language != first:
			return true
		}
		if v.place.language() == v.language {
			named++
		}
	}
	return named > 0 && isUnclear || named > 1
}

// trustFolderLanguages sets the languages of documents to those in the names of their folders, if one of
// the documents is in the language that its folder is named after: for documents that are too short, or
// consist mostly of commands, and for languages that are not distinguished otherwise.
func trustFolderLanguages(group []documentVersion) {
	isNamed := func(v documentVersion) bool {
		return v.language != script.UnknownLanguage && v.place.language() == v.language
	}
	if !slices.ContainsFunc(group, isNamed) {
		return
	}
	for i, v := range group {
		if l := v.place.language(); l != script.UnknownLanguage {
			group[i].language = l
		}
	}
}

// language returns the language whose code is in the name of the folder, such as "de", "pages.ko"
// or "zh_TW".
func (p pathFolder) language() script.Language {
	parts := strings.FieldsFuncSeq(p.name, func(r rune) bool { return !unicode.IsLetter(r) })
	for part := range parts {
		if l := script.LanguageByCode(strings.ToLower(part)); l != script.UnknownLanguage {
			return l
		}
	}
	return script.UnknownLanguage
}

// isTraditional reports whether a folder is named after traditional Chinese, or a region that
// uses it: "zh_TW", "zh-Hant".
func (p pathFolder) isTraditional() bool {
	name := strings.ToLower(p.name)
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains([]string{"tw", "hk", "mo", "hant"}, part) }) || strings.ContainsAny(name, "繁正")
}

// preferredVersion returns the version that represents all: the best of those in a language that
// the question may be in, or else the original; but if that has few of the question's words, the
// version that has most.
func preferredVersion(group []documentVersion, q askedLanguages, best map[*search.Document]topCandidate, folders *SimilarFolders) documentVersion {
	first := slices.MaxFunc(group, func(a, b documentVersion) int {
		return cmp.Compare(best[a.document].score, best[b.document].score)
	})
	group = slices.DeleteFunc(slices.Clone(group), func(v documentVersion) bool {
		c := best[v.document]
		return c.score < leastOfBest*best[first.document].score || c.related != best[first.document].related
	})
	if all := q.inAskedLanguage(group, best); len(all) > 0 {
		return all[0]
	}
	original := folders.originalOf(first.place)
	if i := slices.IndexFunc(group, func(v documentVersion) bool { return v.place.name == original }); i >= 0 {
		return group[i]
	}
	return first
}

// askedLanguages describes the language of the documents wanted, as far as the question shows it.
type askedLanguages struct {
	languages     []script.Language // languages that the question may be in
	isTraditional bool              // the question is in traditional Chinese
}

// inAskedLanguage lists the versions in a language that the question may be in. If it may be in
// several languages, the version with the best score is first; otherwise versions in the script of
// the question, simplified or traditional Chinese, precede the others.
func (q askedLanguages) inAskedLanguage(group []documentVersion, best map[*search.Document]topCandidate) []documentVersion {
	all := slices.DeleteFunc(slices.Clone(group), func(v documentVersion) bool { return !slices.Contains(q.languages, v.language) })
	slices.SortStableFunc(all, func(a, b documentVersion) int {
		switch {
		case len(q.languages) > 1:
			return cmp.Compare(best[b.document].score, best[a.document].score)
		case a.place.isTraditional() == b.place.isTraditional():
			return 0
		case a.place.isTraditional() == q.isTraditional:
			return -1
		}
		return 1
	})
	return all
}

// comparePaths orders paths by the number of folders, then by the length of their names, then by
// the paths themselves, so that the most likely original comes first.
func comparePaths(a, b string) int {
	return cmp.Or(
		cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")),
		cmp.Compare(len(path.Dir(a)), len(path.Dir(b))),
		cmp.Compare(a, b))
}
