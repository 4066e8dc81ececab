package script

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Language is a language that the program can tell apart: by its writing system if that is nearly
// its own, otherwise by function words. Indexes store the number, so the order of languages must
// not change.
type Language uint8

// UnknownLanguage is the language of a text whose language is not recognised.
const UnknownLanguage Language = 0

// languages lists those recognised by function words, then those recognised by their letters. The
// words belong to closed classes and are among the most frequent of their language. A word that is
// frequent in several languages is weak evidence, and is only in the lists of those where it would
// be missed.
var languages = []struct{ code, words string }{
	{"en", "the of and to in is that for with as are be this from or by an it not which at you can have when how what do does"},
	{"de", "der die das und ist nicht ein eine einen mit von zu den dem des für auf im sich wird werden auch bei oder als aus wie durch zur zum eines einer"},
	{"fr", "le la les de des et est une pour dans que qui du en sur pas avec par d ce cette sont au aux ou un leur comment dont"},
	{"es", "el la los las de y que en una por con para es un del se no al como más su o este esta desde cuando cómo"},
	{"pt", "o os as e de que do da em um uma para com não por dos das no na se ao como mais ou este esta são pelo pela seu sua"},
	{"it", "il lo la gli le di e che un una per con non del della in è dei nel alla come da più sono questo questa al si o"},
	{"nl", "de het een en van is in dat op te voor met zijn niet aan die of om ook als bij door naar wordt uit deze worden"},
	{"pl", "i w na z się do nie jest to o że po dla od przez lub oraz za ze jako jak które który są przy"},
	{"cs", "a v na je se z do že o pro s by jako nebo po jsou který které od ve k při není"},
	{"sv", "och att det är som en på för av med den till inte om ett har från eller kan när vid de"},
	{"da", "og at det er som en på for af med den til ikke om et har fra eller kan når ved der de"},
	{"no", "og å det er som en på for av med den til ikke om et har fra eller kan når ved der de"},
	{"fi", "ja on ei se että tai kun joka mutta myös ovat sen jos kuin niin tämä ole voi jotka"},
	{"hu", "a az és hogy nem egy is van ez azt meg csak vagy ha mint de kell egyik amely lehet"},
	{"tr", "ve bir bu için ile da de olarak çok daha gibi veya olan kadar sonra ne ise bütün tüm"},
	{"ro", "și de în la cu un o pe nu care este din pentru sau ca mai sunt prin al ale"},
	{"id", "yang dan di dari untuk dengan ini pada adalah ke dalam itu tidak atau akan oleh sebuah suatu sebagai dapat"},
	{"vi", "và của là các có cho trong một được không với này để những khi từ đến bằng hoặc"},
	{"ca", "el la els les de i que en una per amb és un del al com més o aquest aquesta des dels"},
	{"bs", "i u je na se za da od su sa ne koji koja kao ili ovo ova iz po"},
	{"ru", "и в не на что с по для из от это как или к при его все но у о а"},
	{"uk", "і в не на що з по для із від це як або до при його у та є за"},
	{"bg", "и в не на че с по за от това как или към при е да се са"},
	{"sr", "и у је на се за да од су са не који која као или ово из по"},
	{"zh", ""}, {"ja", ""}, {"ko", ""}, {"th", ""}, {"ar", ""}, {"fa", ""}, {"he", ""}, {"el", ""}, {"hi", ""}, {"bn", ""},
	{"ta", ""}, {"te", ""}, {"kn", ""}, {"ml", ""}, {"si", ""}, {"ka", ""}, {"hy", ""}, {"km", ""}, {"lo", ""}, {"my", ""},
}

// Code returns the ISO 639 code of the language, such as "en"; "" if the language is unknown.
func (l Language) Code() string {
	if l == UnknownLanguage || int(l) > len(languages) {
		return ""
	}
	return languages[l-1].code
}

// LanguageByCode returns the language with a code; the unknown language if there is none. "nb" and
// "nn" are Norwegian.
func LanguageByCode(code string) Language {
	if code == "nb" || code == "nn" {
		code = "no"
	}
	return languageOf[code]
}

// IsValidLanguage reports whether a stored number is that of a language, or of the unknown one.
func IsValidLanguage(number byte) bool { return int(number) <= len(languages) }

var languageOf = func() map[string]Language {
	m := make(map[string]Language)
	for i, l := range languages {
		m[l.code] = Language(i + 1)
	}
	return m
}()

// spokenBy lists the languages in which a word is a function word.
var spokenBy = sync.OnceValue(func() map[string][]Language {
	m := make(map[string][]Language)
	for i, l := range languages {
		for word := range strings.FieldsSeq(l.words) {
			m[word] = append(m[word], Language(i+1))
		}
	}
	return m
})

// alphabets are the writing systems that only one language uses, or one by far more than others.
var alphabets = []struct {
	table *unicode.RangeTable
	code  string
}{
	{unicode.Thai, "th"}, {unicode.Arabic, "ar"}, {unicode.Hebrew, "he"}, {unicode.Greek, "el"}, {unicode.Devanagari, "hi"}, {unicode.Bengali, "bn"},
	{unicode.Tamil, "ta"}, {unicode.Telugu, "te"}, {unicode.Kannada, "kn"}, {unicode.Malayalam, "ml"}, {unicode.Sinhala, "si"}, {unicode.Georgian, "ka"},
	{unicode.Armenian, "hy"}, {unicode.Khmer, "km"}, {unicode.Lao, "lo"}, {unicode.Myanmar, "my"},
}

// languageBytes is how much of a text is examined, in bytes.
const languageBytes = 8 << 10

// LanguageOf returns the main language of a text. If enough letters are of a writing system that mainly
// one language uses, such as the Greek one, it is that language, even if most are Latin: those may be
// names and commands. Otherwise the function words decide.
func LanguageOf(text string) Language {
	text = text[:min(len(text), languageBytes)]
	if l := languageByLetters(text); l != UnknownLanguage {
		return l
	}
	return languageByWords(text)
}

// leastLetters is the reciprocal of the minimum share that the letters of a writing system have in
// a text in that system. In 35 translations of a manual of commands, which have Latin letters, the
// lowest share is one in five.
const leastLetters = 8

func languageByLetters(text string) Language {
	letters := 0
	counts := make([]int, len(languages)+1)
	last := -1 // alphabet of the previous letter; -1 if none
	for _, r := range text {
		switch {
		case r < unicode.MaxLatin1: // the common case: nearly all characters, or nearly none
			if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0xC0 {
				letters++
			}
		case IsUnspaced(r) && WritingSystemOf(r) != SouthEastAsian:
			letters++
			counts[eastAsian[WritingSystemOf(r)]]++
		case last >= 0 && unicode.Is(alphabets[last].table, r), unicode.IsLetter(r):
			letters++
			if last = alphabetOf(r, last); last >= 0 {
				counts[languageOf[alphabets[last].code]]++
			}
		}
	}
	japanese, chinese := languageOf["ja"], languageOf["zh"]
	if counts[japanese]*leastLetters > counts[chinese] { // Japanese uses both
		counts[japanese] += counts[chinese]
		counts[chinese] = 0
	}
	best := UnknownLanguage
	for l, n := range counts {
		if n > counts[best] {
			best = Language(l)
		}
	}
	if counts[best]*leastLetters < letters {
		return UnknownLanguage
	}
	return best
}

// eastAsian maps each East Asian writing system to the language of most texts in it.
var eastAsian = map[WritingSystem]Language{Han: languageOf["zh"], HanSign: languageOf["zh"], Kana: languageOf["ja"], Hangul: languageOf["ko"]}

// alphabetOf returns the index of the alphabet that a letter belongs to; -1 if there is none. It
// tries that of the previous letter first.
func alphabetOf(r rune, before int) int {
	if before >= 0 && unicode.Is(alphabets[before].table, r) {
		return before
	}
	const firstGreek, firstCyrillic, afterCyrillic = 0x370, 0x400, 0x530
	if r < firstGreek || firstCyrillic <= r && r < afterCyrillic {
		return -1
	}
	for i, a := range alphabets {
		if unicode.Is(a.table, r) {
			return i
		}
	}
	return -1
}

// homographs are function words that mean something else in other languages, in commands or in file
// names: "comment", "die", "come". A single one is no evidence of a language, and neither is a word
// of two letters.
var homographs = func() map[string]bool {
	m := make(map[string]bool)
	for word := range strings.FieldsSeq("den des die mit par comment pour sur con del dos non per come com van met door pro til ini care dan din ole") {
		m[word] = true
	}
	return m
}()

// Weights of function words, and the minimum weight for a language.
const (
	homographWorth = 1
	wordWorth      = 2
	leastWorth     = 2
)

// languageByWords returns the language with the most function words; the unknown one if several
// have as many.
func languageByWords(text string) Language {
	if best := languagesByWords(text); len(best) == 1 {
		return best[0]
	}
	return UnknownLanguage
}

// LikelyLanguages lists the candidates for a text that is too short to be certain: the languages
// with the most function words in it, even if that is only one word.
func LikelyLanguages(text string) []Language {
	text = text[:min(len(text), languageBytes)]
	if l := languageByLetters(text); l != UnknownLanguage {
		return []Language{l}
	}
	return languagesByWords(text)
}

// languagesByWords returns the languages whose function words are the most frequent in the text.
func languagesByWords(text string) (best []Language) {
	counts := make([]int, len(languages)+1)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 2*MaxFunctionWordRunes {
			continue
		}
		word = strings.ToLower(word)
		spoken := spokenBy()[word]
		if len(spoken) == 0 {
			continue
		}
		each := wordWorth
		if len(word) <= 2 || homographs[word] {
			each = homographWorth
		}
		for _, l := range spoken {
			counts[l] += each
		}
	}
	most := max(leastWorth, slices.Max(counts))
	for i, n := range counts {
		if n == most {
			best = append(best, Language(i))
		}
	}
	return best
}
