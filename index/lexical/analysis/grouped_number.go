package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// People write long numbers in groups of digits, and programs without: IBANs, card numbers,
// telephone numbers, ISBNs, amounts. Indexing the digits as one word finds a grouped number by its
// ungrouped form.

// Minimum and maximum number of digits in a grouped number.
const (
	leastGrouped = 7  // as in a local telephone number
	mostGrouped  = 19 // as in a card number
)

// groupedNumber parses groups of digits at a position in a text. It returns the digits without
// separators.
func groupedNumber(text string, start int) (number string, length int) {
	if !strings.HasSuffix(text[:start], "+") { // +49 171 555 0134 begins like an amount
		if number, length = groupedAmount(text[start:]); length > 0 {
			return number, length
		}
	}
	if number, length = groupedCode(text, start); length > 0 {
		return number, length
	}
	return groupedAmount(text[start:])
}

// groupedAmount parses an amount: 1,250,000, 12,50,000 (India), 1.250.000, 1'250'000 and 1 250 000. Of
// two groups, 1.250 may also be a fraction, and 1 250 two numbers.
func groupedAmount(text string) (number string, length int) {
	_, first := parseDigits(text, 3)
	if first == 0 || first > 3 || text[0] == '0' || first == len(text) {
		return "", 0
	}
	mark, n := amountMark(text[first:])
	if n == 0 {
		return "", 0
	}
	end, groups, last := first, 1, first
	for strings.HasPrefix(text[end:], mark) && end < 2*mostGrouped {
		_, size := parseDigits(text[end+n:], 3)
		if size != 3 && (size != 2 || mark != ",") {
			break
		}
		end, groups, last = end+n+size, groups+1, size
	}
	number = strings.ReplaceAll(text[:end], mark, "")
	isRow := mark != " " && len(text) > end+n && text[end:end+n] == mark && isDigitByte(text[end+n]) // a list of numbers
	if last != 3 || groups < 2 || len(number) > mostGrouped || isRow || !endsWord(text, end) {
		return "", 0
	}
	return number, end
}

// isTwoNumbers reports whether a grouped number may as well be two numbers side by side.
func isTwoNumbers(grouped string) bool {
	return strings.Count(grouped, " ") == 1 && len(grouped) <= len("123 456")
}

// decimalWithComma parses a decimal fraction with a comma, and returns it with a full stop. Three digits
// after the comma are a group of thousands, unless there is a zero before it, and several commas
// separate a list.
func decimalWithComma(text string, start int) (number string, length int) {
	rest := text[start:]
	_, whole := parseDigits(rest, 8)
	if whole > 8 || !strings.HasPrefix(rest[whole:], ",") || strings.HasSuffix(text[:start], ",") {
		return "", 0
	}
	_, part := parseDigits(rest[whole+1:], 8)
	length = whole + 1 + part
	isGroup := part == 3 && rest[0] != '0'
	if part == 0 || part > 8 || isGroup || goesOnAsDate(rest[length:]) || len(rest) > length+1 && rest[length] == ',' && isDigitByte(rest[length+1]) {
		return "", 0
	}
	return rest[:whole] + "." + rest[whole+1:length], length
}

// goesOnAsDate reports whether the digits before a text are the beginning of a date, as in a row "12,2024-11-05".
func goesOnAsDate(after string) bool {
	return len(after) > 1 && strings.IndexByte("-/.", after[0]) >= 0 && isDigitByte(after[1]) || strings.HasPrefix(after, "年")
}

// endsWord reports whether a word ends at a position in a text.
func endsWord(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return at == len(text) || !isWord(r)
}

// amountMark returns the separator between the groups of an amount.
func amountMark(text string) (mark string, length int) {
	for _, mark := range []string{",", ".", "'", "’", " "} {
		if strings.HasPrefix(text, mark) {
			return mark, len(mark)
		}
	}
	return "", 0
}

// groupedCode parses a telephone number, a card number or an ISBN: groups separated by a space, a
// hyphen or a full stop; in a telephone number, the first group may also be in brackets.
func groupedCode(text string, start int) (number string, length int) {
	rest := text[start:]
	g := codeGroups{isDialled: isDialled(text, start)}
	for at := 0; len(g.digits) <= mostGrouped; {
		_, n := parseDigits(rest[at:], mostGrouped)
		if g.isDialled && strings.HasSuffix(g.mark, "(") && strings.HasPrefix(rest[at:], "0)") { // +44 (0)20
			at, g.mark = at+2, ")"
			at += runLength(rest[at:], unicode.IsSpace)
			continue
		}
		if n == 0 {
			break
		}
		g.add(rest[at : at+n])
		length = at + n
		next := groupMark(rest[length:], g.isDialled)
		if next == "" || g.mark != "" && next != g.mark && !g.isDialled {
			break
		}
		g.mark, at = next, length+len(next)
	}
	if g.count == 3 && len(g.digits) == 9 && len(rest) > length+1 && rest[length:length+1] == g.mark && rest[length+1]|0x20 == 'x' { // check character of an ISBN
		g.add("x")
		length += 2
	}
	if !endsWord(rest, length) || !g.isCode() {
		return "", 0
	}
	return string(g.digits), length
}

// isDialled reports whether the digits at a position look like the beginning of a telephone number.
func isDialled(text string, start int) bool {
	rest := text[start:]
	_, n := parseDigits(rest, mostGrouped)
	switch before := text[:start]; {
	case strings.HasSuffix(before, "+"):
		return rest[0] != '0'
	case strings.HasSuffix(before, "("):
		return strings.HasPrefix(rest[n:], ")")
	}
	return rest[0] == '0' && n > 1
}

// codeGroups holds the groups of a code parsed so far.
type codeGroups struct {
	isDialled bool
	digits    []byte
	count     int
	mark      string // separator after the last group
	single    bool   // whether any group has a single digit
}

func (g *codeGroups) add(group string) {
	g.digits = append(g.digits, group...)
	g.count++
	g.single = g.single || len(group) == 1
}

// isCode reports whether the groups form one code, such as a telephone number, and not several numbers.
func (g *codeGroups) isCode() bool {
	n := len(g.digits)
	switch {
	case g.count < 2:
		return false
	case isISBN(string(g.digits)):
		return true
	case n < leastGrouped || n > mostGrouped:
		return false
	case g.isDialled:
		return g.count > 2 || g.mark != "."
	case g.single || g.mark == ".":
		return false
	}
	return g.count > 2 && n > leastGrouped+1 || g.mark == "-" && n > 10
}

// groupMark returns the separator between two groups, or "" if no group follows.
func groupMark(text string, isDialled bool) string {
	n := 0
	for n < len(text) && n < 3 && (strings.IndexByte(" -.", text[n]) >= 0 || isDialled && strings.IndexByte("()/", text[n]) >= 0) {
		n++
	}
	mark := text[:n]
	if n == 0 || n == len(text) || !isDigitByte(text[n]) || n > 1 && !strings.ContainsAny(mark, "()/") {
		return ""
	}
	return mark
}

func isDigitByte(c byte) bool { return '0' <= c && c <= '9' }

// isISBN reports whether the check digit of an ISBN (ISO 2108) is correct. An ISBN has ten digits,
// the last of which may be x, or thirteen.
func isISBN(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[i] - '0')
		switch {
		case number[i] == 'x':
			d = 10
			fallthrough
		case len(number) == 10:
			sum += (10 - i) * d
		case i%2 == 1:
			sum += 3 * d
		default:
			sum += d
		}
	}
	switch len(number) {
	case 10:
		return sum%11 == 0
	case 13:
		return sum%10 == 0 && (strings.HasPrefix(number, "978") || strings.HasPrefix(number, "979"))
	}
	return false
}

// Minimum and maximum length of an IBAN (ISO 13616), in characters.
const (
	shortestIBAN = 15
	longestIBAN  = 34
)

// groupedIBAN parses an IBAN in groups of four characters, of which the last may be shorter. If the
// check digits are correct for a prefix of the groups, the groups after it do not belong to the
// IBAN.
func groupedIBAN(text string) (number string, length int) {
	if !beginsIBAN(text) {
		return "", 0
	}
	number, length = text[:4], 4
	best, end := "", 0
	for len(number) < longestIBAN && strings.HasPrefix(text[length:], " ") {
		group := text[length+1:]
		group = group[:runLength(group, isWord)]
		if len(group) == 0 || len(group) > 4 || !isASCII(group) || strings.Contains(group, "_") || len(number) > 4 && !strings.ContainsAny(group, "0123456789") {
			break
		}
		number, length = number+group, length+1+len(group)
		if hasIBANChecksum(number) {
			best, end = number, length
		}
		if len(group) < 4 {
			break
		}
	}
	switch {
	case len(best) >= shortestIBAN:
		return strings.ToLower(best), end
	case len(number) >= shortestIBAN && len(number) <= longestIBAN:
		return strings.ToLower(number), length
	}
	return "", 0
}

// beginsIBAN reports whether a text begins with a country code and two check digits.
func beginsIBAN(text string) bool {
	return len(text) > 4 && text[4] == ' ' && isDigitByte(text[2]) && isDigitByte(text[3]) && isASCIILetter(text[0]) && isASCIILetter(text[1])
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// hasIBANChecksum reports whether the check digits are correct (ISO 7064, MOD 97-10).
func hasIBANChecksum(number string) bool {
	rest := 0
	for _, c := range []byte(number[4:] + number[:4]) {
		if isDigitByte(c) {
			rest = (10*rest + int(c-'0')) % 97
		} else {
			rest = (100*rest + int(c|0x20-'a') + 10) % 97
		}
	}
	return rest == 1
}

// dottedCode parses a code of the ICD-10 classification of diseases, which is written with or
// without its full stop: E11.65, E1165. It returns the code without.
func dottedCode(text string) (code string, length int) {
	const category = 3 // characters before the full stop
	if len(text) < category+2 || !isASCIILetter(text[0]) || !isDigitByte(text[1]) || text[category] != '.' || !isDigitByte(text[category+1]) {
		return "", 0
	}
	n := runLength(text[category+1:], isWord)
	length = category + 1 + n
	if n > 4 || !isASCII(text[:length]) || strings.Contains(text[:length], "_") || !isLetterOrDigit(rune(text[2])) || len(text) > length+1 && text[length] == '.' && unicode.IsDigit(rune(text[length+1])) {
		return "", 0
	}
	return strings.ToLower(text[:category] + text[category+1:length]), length
}
