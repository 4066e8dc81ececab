package ocr

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"vademecum/internal/message"
	"vademecum/internal/present"
)

// known lists the languages that script.LanguageOf tells apart, with the names of tesseract for
// their data and for the script that it sees on a page of them.
var known = []struct{ code, data, script string }{
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
	first  string   // for a page of which nothing is known, as -l takes them
	others []string // installed beside these: of pages that turn out to be in them
}

// choose returns the languages in which text is to be recognised: those wanted, which must be
// installed, and no others; else first the preferred ones that are, with all others where they are
// few together: who has these chose them. Of many the first few must do where none is preferred.
func choose(wanted string, installed []string) (l languages, err error) {
	const few = 3
	if wanted != "" {
		for name := range strings.SplitSeq(wanted, "+") {
			if !slices.Contains(installed, name) {
				return l, message.Errorf("tesseract has not the language %s: installed are %s", "tesseract 没有语言 %s：已安装的是 %s", present.QuoteName(name), strings.Join(installed, ", "))
			}
		}
		return languages{first: wanted}, nil
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

// key names all of them: of other languages, a page may have another text.
func (l languages) key() string {
	key := strings.ReplaceAll(l.first, "/", ".")
	if len(l.others) > 0 {
		key += fmt.Sprintf("+%08x", crc32.ChecksumIEEE([]byte(strings.Join(l.others, "+"))))
	}
	return key
}

// next returns the languages in which a page promises more than as it was read best, where it was
// tried in some: those of its text, or, where the program is unsure of that, those of its script,
// which is looked at then. It is "" where there are none. A page that is likely to be in what
// it was read in has that looked at no more.
func (l languages) next(read reading, likely string, tried []string, seen func() (string, error)) (string, error) {
	if len(l.others) == 0 {
		return "", nil
	}
	if read.Confidence >= sureOfPage {
		language := read.language()
		if in := l.ofLanguage(language); in != "" && !isIn(read.Languages, language) {
			return unless(tried, in), nil
		}
		if read.Confidence >= sureEnough || read.Languages == likely {
			return "", nil
		}
	}
	if in := unless(tried, l.first); in != "" {
		return in, nil
	}
	name, err := seen()
	return unless(tried, l.ofScript(name)), err
}

// unless returns a name that is not among others, else "".
func unless(others []string, name string) string {
	if slices.Contains(others, name) {
		return ""
	}
	return name
}

// in returns what -l takes for a page in the language of some data: these, with English beside
// them for the words of that which stand in other scripts, whose data have no Latin letters.
func (l languages) in(data, of string) string {
	if of != latin && hasData(l.first, english) {
		return data + "+" + english
	}
	return data
}

// ofLanguage returns the languages in which a page in a language is to be read: the first where
// that is among them; "" where it is not installed.
func (l languages) ofLanguage(code string) string {
	for _, k := range known {
		switch {
		case k.code != code:
		case hasData(l.first, k.data):
			return l.first
		case slices.Contains(l.others, k.data):
			return l.in(k.data, k.script)
		}
	}
	return ""
}

// ofScript returns the languages in which a page in a script is to be tried, none of the first; ""
// where none is installed, and of Latin letters, whose words tell more.
func (l languages) ofScript(name string) string {
	for _, k := range known {
		if k.script == name && name != latin && slices.Contains(l.others, k.data) {
			return l.in(k.data, k.script)
		}
	}
	return ""
}

// isIn tells whether a page in a language was read in it.
func isIn(languages, code string) bool {
	for _, k := range known {
		if k.code == code && hasData(languages, k.data) {
			return true
		}
	}
	return false
}

// hasData tells whether some data are among languages as -l takes them.
func hasData(languages, data string) bool {
	return slices.Contains(strings.Split(languages, "+"), data)
}
