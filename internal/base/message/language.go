package message

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/message/catalog"
)

// A Language is a language of the program, given by its ISO 639-1 code.
type Language string

// Languages with special cases in the program.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// spokenLanguage is a language and its catalogue.
type spokenLanguage struct {
	code      Language
	tag       language.Tag
	name      string // the language's own name
	catalogue func() catalog.Catalog
}

// languages are the languages of the program, English first. To add one, add a row and its file.
var languages = []spokenLanguage{
	newLanguage("en", "en", "English", english, nil),
	newLanguage("zh", "zh-CN", "中文", nil, chinese),
}

// newLanguage returns a language. Its catalogue is built on first use from plurals and entries,
// either of which may be nil.
func newLanguage(code Language, tag, name string, counted func() plurals, parts func() []entries) spokenLanguage {
	l := spokenLanguage{code: code, tag: language.Make(tag), name: name}
	l.catalogue = sync.OnceValue(func() catalog.Catalog {
		var p plurals
		if counted != nil {
			p = counted()
		}
		var e []entries
		if parts != nil {
			e = parts()
		}
		return newCatalogue(l.tag, p, e)
	})
	return l
}

// spoken returns the language; English if it is unknown.
func (l Language) spoken() spokenLanguage {
	i := slices.IndexFunc(languages, func(s spokenLanguage) bool { return s.code == l })
	return languages[max(i, 0)]
}

// Languages lists the languages of the program, English first.
func Languages() (all []Language) {
	for _, l := range languages {
		all = append(all, l.code)
	}
	return all
}

// Name returns the language's own name for itself.
func (l Language) Name() string { return l.spoken().name }

// Tag returns the tag of the language in HTML, such as zh-CN.
func (l Language) Tag() string { return l.spoken().tag.String() }

// LanguageOf returns the language of a locale or language tag, such as zh_CN.UTF-8 or en-GB;
// English if the program has no texts in it.
func LanguageOf(locale string) Language {
	primary, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(locale, "_", "-")), "-")
	return Language(primary).spoken().code
}
