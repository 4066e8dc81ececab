package ocr

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

type knownLanguage struct{ code, data, script string }

// known lists the languages of script.LanguageOf, with tesseract's names for their data and
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

// preferred are the languages that Vademecum itself speaks: its users read them as a rule.
var preferred = []string{english, "chi_sim"}

const (
	english = "eng"
	latin   = "Latin"
)

// noLanguages are data files that belong to no language: for orientation, formulas and serial numbers.
var noLanguages = []string{orientation, "equ", "snum"}

// languages are those in which pages are read.
type languages struct {
	first   string   // for a page of which nothing is known, as -l takes them
	others  []string // installed beside these: of pages that turn out to be in them
	isNamed bool     // the user has named the first: pages are read in all of them
}

// LanguageError reports that a language of Options is not installed.
type LanguageError struct {
	error
	Installed string // languages to name instead, in the form of Options; "" for none
}

func (e LanguageError) Unwrap() error { return e.error }

// choose returns the languages for OCR. Those wanted must be installed, and no others are used. If
// none is wanted, pages are read at first in the preferred languages that are installed. If few
// languages are installed altogether, their owner chose them, and all are used at first. If many
// are, and none of them is preferred, the first few are used.
func choose(wanted string, installed []string) (l languages, err error) {
	const few = 3
	if wanted != "" {
		for name := range strings.SplitSeq(wanted, "+") {
			if !slices.Contains(installed, name) {
				instead, _ := choose("", installed) // none where none is installed
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

// isChoice reports whether there are several languages to choose from for a page.
func (l languages) isChoice() bool {
	return !l.isNamed && (len(l.others) > 0 || strings.Contains(l.first, "+"))
}

// haveScripts reports whether the script of a page decides in which of them to read it.
func (l languages) haveScripts() bool {
	return l.isChoice() && slices.ContainsFunc(known, func(k knownLanguage) bool { return k.script != latin && l.has(k.data) })
}

// key identifies the choice of languages under which recognised pages are kept: with another choice,
// a page may be read as another text.
func (l languages) key() string {
	key := strings.ReplaceAll(l.first, "/", ".")
	if l.isChoice() {
		key += fmt.Sprintf("~%08x", crc32.ChecksumIEEE([]byte(strings.Join(l.others, "+"))))
	}
	return key
}

// forScript returns the languages in which to read a page in a script at first.
func (l languages) forScript(name string) string {
	for _, k := range known {
		if k.script == name && name != latin && l.has(k.data) {
			return l.languagesFor(k)
		}
	}
	return l.first
}

// next returns the languages in which to read a page again, given its best reading so far and the
// languages that were tried: those of its text, a confusable one where the program is unsure, and
// the first where the text makes no sense; "" where another reading promises nothing. A page that
// was read in its likely languages is not read in a confusable one.
func (l languages) next(read reading, likely string, tried []string) string {
	switch {
	case !l.isChoice():
		return ""
	case read.Confidence < minPageConfidence:
		return untried(l.first, tried)
	}
	if better := l.forText(read); better != read.Languages {
		return untried(better, tried)
	}
	if other := confusableLanguages[read.Languages]; l.has(other) && read.Confidence < confidentReading && read.Languages != likely {
		return untried(other, tried)
	}
	return ""
}

// confusableLanguages are languages whose scripts are easily confused.
var confusableLanguages = map[string]string{"chi_sim": "chi_tra", "chi_tra": "chi_sim", "jpn": "chi_sim"}

// untried returns languages that were not tried yet, else "".
func untried(languages string, tried []string) string {
	if slices.Contains(tried, languages) {
		return ""
	}
	return languages
}

// forText returns the languages in which to read a page with the text of a reading: those of the
// reading itself unless others are better. Chinese is best read in Chinese alone, whose data include
// Latin letters: with other languages added, many characters are taken for foreign words.
func (l languages) forText(read reading) string {
	language, isMostlyCJK := read.language(), read.isMostlyCJK()
	isRead := false
	for _, k := range known {
		isRead = isRead || k.code == language && hasData(read.Languages, k.data)
		if k.code == language && isReadAlone(k.script) && !isMostlyCJK {
			return l.first // most of it is in Latin letters
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

// languagesFor returns what -l takes for a page in a language: the first languages if it has Latin
// letters and is one of them, else it alone, with English added where its own data have no Latin
// letters.
func (l languages) languagesFor(k knownLanguage) string {
	switch {
	case k.script == latin && hasData(l.first, k.data):
		return l.first
	case k.script == latin, isReadAlone(k.script), !hasData(l.first, english):
		return k.data
	}
	return k.data + "+" + english
}

// isReadAlone reports whether pages in a script are best read in their language alone.
func isReadAlone(scriptName string) bool { return scriptName == "Han" || scriptName == "Japanese" }

func (l languages) has(data string) bool {
	return hasData(l.first, data) || slices.Contains(l.others, data)
}

// hasData reports whether data are among languages in the format of -l.
func hasData(languages, data string) bool {
	return slices.Contains(strings.Split(languages, "+"), data)
}
