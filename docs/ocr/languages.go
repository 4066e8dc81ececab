package ocr

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"vademecum/internal/message"
	"vademecum/internal/present"
)

type knownLanguage struct{ code, data, script string }

// known lists the languages that script.LanguageOf tells apart, with the names of tesseract for
// their data and for the script that it sees on a page of them.
var known = []knownLanguage{
	{"en", "eng", "Latin"}, {"de", "deu", "Latin"}, {"fr", "fra", "Latin"}, {"es", "spa", "Latin"}, {"pt", "por", "Latin"},
	{"it", "ita", "Latin"}, {"nl", "nld", "Latin"}, {"pl", "pol", "Latin"}, {"cs", "ces", "Latin"}, {"sv", "swe", "Latin"},
	{"da", "dan", "Latin"}, {"no", "nor", "Latin"}, {"fi", "fin", "Latin"}, {"hu", "hun", "Latin"}, {"tr", "tur", "Latin"},
	{"ro", "ron", "Latin"}, {"id", "ind", "Latin"}, {"vi", "vie", "Latin"}, {"ca", "cat", "Latin"}, {"bs", "bos", "Latin"},
	{"zh", "chi_sim", "Han"}, {"zh", "chi_tra", "Han"}, {"ja", "jpn", "Japanese"}, {"ko", "kor", "Korean"},
	{"ru", "rus", "Cyrillic"}, {"uk", "ukr", "Cyrillic"}, {"bg", "bul", "Cyrillic"}, {"sr", "srp", "Cyrillic"},
	{"el", "ell", "Greek"}, {"ar", "ara", "Arabic"}, {"fa", "fas", "Arabic"}, {"he", "heb", "Hebrew"}, {"th", "tha", "Thai"},
	{"hi", "hin", "Devanagari"}, {"bn", "ben", "Bengali"}, {"ta", "tam", "Tamil"}, {"te", "tel", "Telugu"}, {"kn", "kan", "Kannada"},
	{"ml", "mal", "Malayalam"}, {"si", "sin", "Sinhala"}, {"ka", "kat", "Georgian"}, {"hy", "hye", "Armenian"}, {"km", "khm", "Khmer"},
	{"lo", "lao", "Lao"}, {"my", "mya", "Myanmar"},
}

// preferred are the languages of the people whom the program is made for.
var preferred = []string{english, "chi_sim"}

const (
	english = "eng"
	latin   = "Latin"
)

// noLanguages are data that are none: they tell how a page lies, and read formulas and serial numbers.
var noLanguages = []string{orientation, "equ", "snum"}

// languages are those in which pages are read.
type languages struct {
	first   string   // for a page of which nothing is known, as -l takes them
	others  []string // installed beside these: of pages that turn out to be in them
	isNamed bool     // somebody has named the first: a page is read in all of them
}

// LanguageError says that a language of Options is not installed.
type LanguageError struct{ error }

func (e LanguageError) Unwrap() error { return e.error }

// choose returns the languages in which text is to be recognised: those wanted, which must be
// installed, and no others; else first the preferred ones that are, with all others where they are
// few together: who has these chose them. Of many the first few must do where none is preferred.
func choose(wanted string, installed []string) (l languages, err error) {
	const few = 3
	if wanted != "" {
		for name := range strings.SplitSeq(wanted, "+") {
			if !slices.Contains(installed, name) {
				return l, LanguageError{message.Errorf("the language %s of tesseract is not installed; installed are: %s", "tesseract 的语言 %s 没有安装；已安装的有：%s", present.QuoteName(name), strings.Join(installed, ", "))}
			}
		}
		return languages{first: wanted, isNamed: true}, nil
	}
	var first []string
	for _, name := range preferred {
		if slices.Contains(installed, name) {
			first = append(first, name)
		}
	}
	for _, name := range installed {
		if !slices.Contains(noLanguages, name) && !slices.Contains(first, name) {
			l.others = append(l.others, name)
		}
	}
	if len(first) == 0 || len(first)+len(l.others) <= few {
		n := min(len(l.others), few)
		first, l.others = append(first, l.others[:n]...), l.others[n:]
	}
	if len(first) == 0 {
		return l, message.Errorf("tesseract has no language installed", "tesseract 没有安装任何语言")
	}
	l.first = strings.Join(first, "+")
	return l, nil
}

// isChoice tells whether there are several languages to choose from for a page.
func (l languages) isChoice() bool {
	return !l.isNamed && (len(l.others) > 0 || strings.Contains(l.first, "+"))
}

// haveScripts tells whether the script of a page tells in which of them to read it.
func (l languages) haveScripts() bool {
	return l.isChoice() && slices.ContainsFunc(known, func(k knownLanguage) bool { return k.script != latin && l.has(k.data) })
}

// key names all of them, and whether pages are read in some of them: a page may have another text
// where that is otherwise.
func (l languages) key() string {
	key := strings.ReplaceAll(l.first, "/", ".")
	if l.isChoice() {
		key += fmt.Sprintf("~%08x", crc32.ChecksumIEEE([]byte(strings.Join(l.others, "+"))))
	}
	return key
}

// forScript returns the languages in which a page in a script is to be read at first.
func (l languages) forScript(name string) string {
	for _, k := range known {
		if k.script == name && name != latin && l.has(k.data) {
			return l.in(k.data, k.script)
		}
	}
	return l.first
}

// next returns the languages in which a page promises more than as it was read best, where it was
// tried in some: those of its text, one that looks alike where the program is unsure, and the
// first where it makes no sense. It is "" where there are none. A page that was read in what
// it is likely to be in is doubted less.
func (l languages) next(read reading, likely string, tried []string) string {
	switch {
	case !l.isChoice():
		return ""
	case read.Confidence < sureOfPage:
		return unless(tried, l.first)
	}
	if in := l.forText(read); in != read.Languages {
		return unless(tried, in)
	}
	if other := alike[read.Languages]; l.has(other) && read.Confidence < sureEnough && read.Languages != likely {
		return unless(tried, other)
	}
	return ""
}

// alike are languages whose scripts are taken for each other.
var alike = map[string]string{"chi_sim": "chi_tra", "chi_tra": "chi_sim", "jpn": "chi_sim"}

// unless returns a name that is not among others, else "".
func unless(others []string, name string) string {
	if slices.Contains(others, name) {
		return ""
	}
	return name
}

// forText returns the languages in which a page with such a text is to be read: those in which it
// was read where none are better. Chinese is best read in that alone, whose data have Latin
// letters, too: with others beside it, many characters are taken for strange words.
func (l languages) forText(read reading) string {
	language, isWide := read.language(), read.isWide()
	isRead := false
	for _, k := range known {
		isRead = isRead || k.code == language && hasData(read.Languages, k.data)
		if k.code == language && isAlone(k.script) && !isWide {
			return l.first // most of it is in Latin letters
		}
	}
	if isRead && (!isWide || !strings.Contains(read.Languages, "+")) {
		return read.Languages
	}
	for _, k := range known {
		if k.code == language && l.has(k.data) {
			return l.in(k.data, k.script)
		}
	}
	return read.Languages
}

// in returns what -l takes for a page in the language of some data: the first where it has Latin
// letters and is among them, else these alone, with English beside them where they have no Latin
// letters.
func (l languages) in(data, of string) string {
	switch {
	case of == latin && hasData(l.first, data):
		return l.first
	case of == latin, isAlone(of), !hasData(l.first, english):
		return data
	}
	return data + "+" + english
}

// isAlone tells whether pages in a script are best read in their language alone.
func isAlone(of string) bool { return of == "Han" || of == "Japanese" }

func (l languages) has(data string) bool {
	return hasData(l.first, data) || slices.Contains(l.others, data)
}

// hasData tells whether some data are among languages as -l takes them.
func hasData(languages, data string) bool {
	return slices.Contains(strings.Split(languages, "+"), data)
}
