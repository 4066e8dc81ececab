package ocr

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/internal/base/script"
)

type knownLanguage struct{ code, data, script string }

// known lists the languages of script.LanguageOf with tesseract's names for their data and their
// script.
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

// preferred are the languages of Vademecum's own texts, which its users usually read.
var preferred = []string{english, "chi_sim"}

const (
	english = "eng"
	latin   = "Latin"
)

// noLanguages are data files that are not languages: for orientation, formulas and serial numbers.
var noLanguages = []string{orientation, "equ", "snum"}

// languages tells in which languages pages are read.
type languages struct {
	first   string   // languages for a page about which nothing is known, in the format of -l
	others  []string // other installed languages, for pages that turn out to be in one of them
	isNamed bool     // whether the user has named the languages in first; pages are read in all of them
}

// LanguageError reports that a language in Options is not installed.
type LanguageError struct {
	error
	InstalledLanguages string // languages to name instead, in the format of Options; "" if there are none
}

func (e LanguageError) Unwrap() error { return e.error }

// choose returns the languages for OCR. If languages are wanted, they must be installed, and no
// others are used. Otherwise pages are first read in the preferred languages that are installed. If
// only a few languages are installed altogether, the user chose them, and all are used at first. If
// many are installed and none is preferred, the first few are used.
func choose(wanted string, installed []string) (l languages, err error) {
	const few = 3
	if wanted != "" {
		for name := range strings.SplitSeq(wanted, "+") {
			if !slices.Contains(installed, name) {
				instead, _ := choose("", installed) // "" if no language is installed
				return l, LanguageError{message.Errorf("the language %s of tesseract is not installed; installed are: %s", present.QuoteName(name), strings.Join(installed, ", ")), instead.first}
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
		return l, message.Errorf("tesseract has no language installed")
	}
	l.first = strings.Join(first, "+")
	return l, nil
}

// isChoice reports whether there are several languages to choose from for each page.
func (l languages) isChoice() bool {
	return !l.isNamed && (len(l.others) > 0 || strings.Contains(l.first, "+"))
}

// haveScripts reports whether the script of a page affects the choice of languages.
func (l languages) haveScripts() bool {
	return l.isChoice() && slices.ContainsFunc(known, func(k knownLanguage) bool { return k.script != latin && l.has(k.data) })
}

// key identifies the choice of languages under which recognised pages are stored: another choice
// may yield other text.
func (l languages) key() string {
	key := strings.ReplaceAll(l.first, "/", ".")
	if l.isChoice() {
		key += fmt.Sprintf("~%08x", crc32.ChecksumIEEE([]byte(strings.Join(l.others, "+"))))
	}
	return key
}

// forScript returns the languages in which to read a page in a script first.
func (l languages) forScript(name string) string {
	for _, k := range known {
		if k.script == name && name != latin && l.has(k.data) {
			return l.languagesFor(k)
		}
	}
	return l.first
}

// next returns the languages in which to read a page again, given its best reading so far and the
// languages that were tried: the language of its text; a confusable one if the program is unsure;
// the first languages if the text makes no sense. It returns "" if another reading is not
// promising. A page that was read in its likely languages is not read in a confusable one.
func (l languages) next(read reading, likely string, tried []string) string {
	switch {
	case !l.isChoice():
		return ""
	case read.ConfidencePercent < minPageConfidence:
		return untried(l.first, tried)
	}
	if better := l.forText(read); better != read.Languages {
		return untried(better, tried)
	}
	if other := confusableLanguages[read.Languages]; l.has(other) && read.ConfidencePercent < confidentReading && read.Languages != likely {
		return untried(other, tried)
	}
	return ""
}

// confusableLanguages are languages whose scripts are easily confused.
var confusableLanguages = map[string]string{"chi_sim": "chi_tra", "chi_tra": "chi_sim", "jpn": "chi_sim"}

// untried returns the languages if they were not tried yet, otherwise "".
func untried(languages string, tried []string) string {
	if slices.Contains(tried, languages) {
		return ""
	}
	return languages
}

// forText returns the languages in which to read a page, given the text of a reading: those of the
// reading itself, unless others are better. Chinese is best read with Chinese data alone, which
// include Latin letters: with other languages added, many characters are mistaken for foreign
// words.
func (l languages) forText(read reading) string {
	language, isMostlyCJK := script.LanguageOf(read.allText()).Code(), read.isMostlyCJK()
	isRead := false
	for _, k := range known {
		isRead = isRead || k.code == language && hasData(read.Languages, k.data)
		if k.code == language && isReadAlone(k.script) && !isMostlyCJK {
			return l.first // most of the text is in Latin letters
		}
	}
	if isRead && (!isMostlyCJK || !strings.Contains(read.Languages, "+")) {
		return read.Languages
	}
	for _, k := range known {
		if k.code == language && l.has(k.data) {
			return l.languagesFor(k)
		}
	}
	return read.Languages
}

// languagesFor returns the argument of -l for a page in a language: the first languages if it uses
// Latin letters and is one of them; otherwise the language alone, with English added if its data
// have no Latin letters.
func (l languages) languagesFor(k knownLanguage) string {
	switch {
	case k.script == latin && hasData(l.first, k.data):
		return l.first
	case k.script == latin, isReadAlone(k.script), !hasData(l.first, english):
		return k.data
	}
	return k.data + "+" + english
}

// isReadAlone reports whether pages in a script are best read with the data of their language
// alone.
func isReadAlone(scriptName string) bool { return scriptName == "Han" || scriptName == "Japanese" }

func (l languages) has(data string) bool {
	return hasData(l.first, data) || slices.Contains(l.others, data)
}

// hasData reports whether data is one of languages, which are in the format of -l.
func hasData(languages, data string) bool {
	return slices.Contains(strings.Split(languages, "+"), data)
}
