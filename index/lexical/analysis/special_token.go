package analysis

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A specialToken is searched as a whole, although it would be split into words otherwise: a date, a
// version, the number of an article, an operator, a row of stars. It is a term in addition to its
// parts, and its field byte distinguishes it from words.
type specialToken struct {
	term       string
	written    string   // the token written as one word; "" if it never is
	forms      []string // further terms that count as it in a text
	start, end int      // byte range in the text
	isPlace    bool     // whether it is the number of an article or similar unit
	begins     bool     // whether the number of an article begins a line
	isGeneral  bool     // whether it only says what a text may be about, so that it is no term of a query
	isVariant  bool     // whether it may as well be several numbers, as in "aspirin 4 500 mg"
}

// allForms returns the terms that count as the token in a text.
func (w specialToken) allForms() []string {
	if w.written == "" {
		return slices.Concat(w.forms, shortDayForms(w.term))
	}
	return append(w.forms[:len(w.forms):len(w.forms)], w.written)
}

// specialTokens returns the special tokens of a normalised text.
func specialTokens(text string) []specialToken {
	w := specialTokenScanner{text: text}
	for w.at < len(text) {
		w.scanNext()
	}
	return w.found
}

type specialTokenScanner struct {
	text  string
	at    int
	found []specialToken
}

// scanNext scans the token at the current position and advances.
func (w *specialTokenScanner) scanNext() {
	r, size := utf8.DecodeRuneInString(w.text[w.at:])
	switch {
	case r < utf8.RuneSelf && asciiWord[r] && !('0' <= r && r <= '9'): // nearly all characters
		w.scanWord()
	case '0' <= r && r <= '9':
		w.scanNumber()
	case r < utf8.RuneSelf && !isASCIISign[r]:
		w.at += size
	case r == '第':
		w.scanArticle(w.at + size)
	case r == sectionSign:
		w.scanSections()
	case isChineseDigit(r):
		w.scanChineseDate(size)
	case isWord(r):
		w.scanWord()
	case isSign(r):
		w.scanSigns()
	default:
		w.at += size
	}
}

func (w *specialTokenScanner) addToken(term string, start, end int) {
	w.found = append(w.found, specialToken{term: string(specialField) + term, start: start, end: end})
}

// parseDigits parses a number of no more than most digits. n is -1 if there are none or more.
func parseDigits(text string, most int) (n, length int) {
	for length < len(text) && '0' <= text[length] && text[length] <= '9' {
		length++
	}
	if length == 0 || length > most {
		return -1, length
	}
	n, _ = strconv.Atoi(text[:length])
	return n, length
}

// scanNumber scans a date, a version or a number in groups. A token that may be a date or a version
// counts as both.
func (w *specialTokenScanner) scanNumber() {
	start := w.at
	version, ofVersion := parseVersion(w.text[start:])
	for _, read := range []func(string) (string, int){parseDate, parseDayMonthName} {
		date, length := read(w.text[start:])
		if length == 0 {
			continue
		}
		w.at = start + length
		w.addDate(date, start)
		if length == len("05.11.24") && ofVersion == length {
			w.addToken(version, start, w.at)
		}
		return
	}
	if ofVersion == 0 {
		version, ofVersion = decimalWithComma(w.text, start)
	}
	endOfAmount := w.scanAmount(start)
	for _, day := range ambiguousDays(w.text[start:]) {
		w.found = append(w.found, specialToken{term: string(specialField) + day, isGeneral: true, start: start, end: start + len("1/1/2006")})
	}
	number, ofNumber := groupedNumber(w.text, start)
	end := max(start+max(ofVersion, ofNumber), endOfAmount)
	if ofVersion > 0 {
		w.addToken(version, start, start+ofVersion)
		w.found[len(w.found)-1].forms = dayOfVersion(version)
	}
	if ofNumber > 0 {
		w.addJoined(number, start, start+ofNumber)
		w.found[len(w.found)-1].isVariant = isTwoNumbers(w.text[start : start+ofNumber])
	}
	if ofNumber == 0 {
		w.scanCode(start)
	}
	if w.at = end; w.at == start {
		w.at += max(1, runLength(w.text[w.at:], isWord))
	}
}

// addJoined adds a number written with separators as a token. word is the number without separators.
func (w *specialTokenScanner) addJoined(word string, start, end int) {
	w.at = end
	w.found = append(w.found, specialToken{term: closedForm(word), written: word, start: start, end: end})
}

// scanChineseDate scans a date in Chinese characters. If there is none, it skips the first
// character, which has size bytes.
func (w *specialTokenScanner) scanChineseDate(size int) {
	start := w.at
	date, length := parseChineseDate(w.text[start:])
	if w.at += max(size, length); length > 0 {
		w.addDate(date, start)
	}
}

// addDate adds a day and its month, or a month alone.
func (w *specialTokenScanner) addDate(date string, start int) {
	w.addToken(date, start, w.at)
	if month := date[:len("2006-01")]; month != date {
		w.addToken(month, start, w.at)
	}
}

// parseVersion parses a version such as "3.12.1".
func parseVersion(text string) (version string, length int) {
	_, length = parseDigits(text, 8)
	groups := 1
	for length < len(text) && text[length] == '.' {
		_, n := parseDigits(text[length+1:], 8)
		if n == 0 {
			break
		}
		groups++
		length += 1 + n
	}
	if groups < 2 || length > maxTermBytes {
		return "", 0
	}
	return text[:length], length
}

// scanArticle scans the number of an article after 第: "第三十五条", "第35章", "第十二条之一".
func (w *specialTokenScanner) scanArticle(at int) {
	start, rest := w.at, w.text[at:]
	w.at = at
	n, length := parseChineseNumber(strings.TrimLeft(rest, " "))
	if n <= 0 {
		return
	}
	length += len(rest) - len(strings.TrimLeft(rest, " "))
	unit := strings.TrimLeft(rest[length:], " ")
	r, size := utf8.DecodeRuneInString(unit)
	name, ok := ordinalUnits[FoldRune(r)]
	if !ok {
		return
	}
	w.at = len(w.text) - len(unit) + size
	number := strconv.Itoa(n)
	if after, ok := strings.CutPrefix(w.text[w.at:], "之"); ok {
		if m, length := parseChineseNumber(after); m > 0 {
			w.at += len("之") + length
			number += "." + strconv.Itoa(m)
		}
	}
	w.addArticle(name, number, start)
}

// addArticle adds the number of an article or similar unit. It records whether the number begins a
// line, where it is a heading; elsewhere it is a reference.
func (w *specialTokenScanner) addArticle(unit, number string, start int) {
	w.addToken(unit+" "+number, start, w.at)
	last := &w.found[len(w.found)-1]
	last.isPlace, last.begins = true, beginsLine(w.text[:start])
}

func beginsLine(before string) bool {
	before = strings.TrimRight(before, " \t#*_>-\u3000")
	return before == "" || strings.HasSuffix(before, "\n")
}

// ordinalUnits maps the units of laws and books in Chinese to names that are shared with English.
var ordinalUnits = map[rune]string{'条': "article", '章': "chapter", '节': "section", '编': "part", '款': "paragraph", '项': "item", '回': "回", '课': "lesson", '卷': "volume", '期': "期", '讲': "讲", '页': "page", '号': "number"}

// ordinalNames is the set of names in ordinalUnits.
var ordinalNames = func() map[string]bool {
	names := make(map[string]bool)
	for _, name := range ordinalUnits {
		names[name] = true
	}
	return names
}()

// parseChineseNumber parses a number below 10,000 in digits or Chinese characters.
func parseChineseNumber(text string) (n, length int) {
	if n, length = parseDigits(text, 6); length > 0 {
		return n, length
	}
	sum, digit := 0, 0
	for i, r := range text {
		d, isDigit := chineseDigits[r]
		unit := chineseUnits[r]
		switch {
		case length > longestNumber || !isDigit && unit == 0:
			return sum + digit, length
		case isDigit:
			digit = 10*digit + d
		default:
			sum += max(1, digit) * unit
			digit = 0
		}
		length = i + utf8.RuneLen(r)
	}
	return sum + digit, length
}

// longestNumber is the maximum length, in bytes, of the number of an article in Chinese characters.
const longestNumber = 24

var chineseDigits = map[rune]int{'〇': 0, '○': 0, '零': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9, '两': 2}

func isChineseDigit(r rune) bool { _, is := chineseDigits[r]; return is }

var chineseUnits = map[rune]int{'十': 10, '百': 100, '千': 1000}

// scanWord scans a month with its day or year, the number of an article, or a name that contains
// signs, such as C++ and C#.
func (w *specialTokenScanner) scanWord() {
	start := w.at
	length := wordLength(w.text[start:])
	word := w.text[start : start+length]
	if i := strings.IndexByte(word, '_'); i >= 0 && i+1 < len(word) && '0' <= word[i+1] && word[i+1] <= '9' {
		w.at = start + i + 1 // a date may follow, as in "backup_20241105"
		return
	}
	w.at = start + length
	if len(word) > maxTermBytes || len(word) == 0 {
		w.at = start + max(1, length)
		return
	}
	rest := w.text[w.at:]
	if length == len("DE89") {
		if number, n := groupedIBAN(w.text[start:]); n > 0 {
			w.addJoined(number, start, start+n)
			return
		}
	}
	if strings.HasPrefix(rest, "-") {
		w.scanCode(start)
	}
	if !mayBeNamed(word) && (rest == "" || rest[0] != '+' && rest[0] != '#' && rest[0] != '.') {
		return // true for most words
	}
	lower := strings.ToLower(word)
	switch {
	case months[lower] > 0:
		if date, n := parseAfterMonthName(months[lower], rest); n > 0 {
			w.at += n
			from := len(w.found)
			w.addDate(date, start)
			for i := range w.found[from:] {
				w.found[from+i].isGeneral = word == "Mars" // the planet, unless it begins a French sentence
			}
		}
	case lower == "no" || lower == "nr":
		w.scanNumberSign(lower, start)
	case articleUnits[lower] != "":
		w.scanNumbered(articleUnits[lower], start)
	case strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "#"):
		w.scanNameWithSigns(lower, start)
	case lower[0] == 'v' && len(lower) > 1 && strings.HasPrefix(rest, "."):
		w.scanVersionAfterV(lower, start)
	default:
		if code, n := dottedCode(w.text[start:]); n > 0 {
			w.addJoined(code, start, start+n)
		}
	}
}

// scanVersionAfterV scans a version after a "v". It may also be a date, as in "v2024.11.05".
func (w *specialTokenScanner) scanVersionAfterV(lower string, start int) {
	if n, digits := parseDigits(lower[1:], 8); n < 0 || digits != len(lower)-1 {
		return
	}
	version, length := parseVersion(w.text[start+1:])
	if length == 0 {
		return
	}
	w.at = start + 1 + length
	w.addToken(version, start, w.at)
	if date, n := parseDate(version); n == length && isDate(date) {
		w.addDate(date, start)
	}
}

// mayBeNamed is a fast check whether a word may be the name of a month or unit. It takes a tenth of
// the time of looking it up.
func mayBeNamed(word string) bool {
	return len(word) <= len("september") && strings.IndexByte("acdfjklmnopsv", word[0]|('a'-'A')) >= 0
}

func (w *specialTokenScanner) scanNameWithSigns(lower string, start int) {
	signs := "++"
	if w.text[w.at] == '#' {
		signs = "#"
	}
	after, _ := utf8.DecodeRuneInString(w.text[w.at+len(signs):])
	if after != utf8.RuneError && (isWord(after) || isSign(after) || after == '#') {
		return
	}
	w.at += len(signs)
	w.addToken(lower+signs, start, w.at)
}

// longestSigns is the maximum number of characters of an operator, or of a row of stars.
const longestSigns = 10

// scanSigns scans an operator, an emoji, or a row of stars.
func (w *specialTokenScanner) scanSigns() {
	start := w.at
	first, size := utf8.DecodeRuneInString(w.text[start:])
	w.at += runLength(w.text[w.at:], func(r rune) bool { return isSign(r) && (r < utf8.RuneSelf) == (first < utf8.RuneSelf) })
	run := w.text[start:w.at]
	if isOperator := first < utf8.RuneSelf; utf8.RuneCountInString(run) > longestSigns || isOperator && (len(run) == size || isMarkup(run)) {
		return
	}
	w.addToken(run, start, w.at)
}

// isSign reports whether a character belongs to operators and symbols. Brackets, quotation marks
// and punctuation do not.
func isSign(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIISign[r]
	}
	return unicode.In(r, unicode.So, unicode.Sm)
}

// isASCIISign marks the ASCII characters of operators.
var isASCIISign = func() (is [utf8.RuneSelf]bool) {
	for _, r := range "!%&*+-/:<=>?@^|~$" {
		is[r] = true
	}
	return is
}()

// isMarkup reports whether a run of signs is markup: a rule, an underline, bold text, a table
// border, a comment or a link.
func isMarkup(run string) bool {
	switch run {
	case "**", "***", "://", "/>", "</", "!--", "<!--", "-->", "?:", "/*", "*/", "/**", "//":
		return true
	}
	return strings.Trim(run, "-|:~") == "" && run != "||" && run != "::" || len(run) > 3 && strings.Trim(run, run[:1]) == ""
}

// lineStartTerm returns the additional term of an article number at the beginning of a line, where
// it is a heading and not a reference.
func (w specialToken) lineStartTerm() string {
	return string(placeField) + w.term[len(string(specialField)):]
}
