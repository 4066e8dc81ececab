package analysis

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// currencies maps signs of currencies, and the words for them, to their codes (ISO 4217). Codes are words for
// themselves.
var currencies = map[string]string{
	"€": "eur", "eur": "eur", "euro": "eur", "euros": "eur", "欧元": "eur", "歐元": "eur",
	"£": "gbp", "gbp": "gbp", "pound": "gbp", "pounds": "gbp", "英镑": "gbp", "英鎊": "gbp",
	"$": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "美元": "usd",
	"¥": "cny", "cny": "cny", "rmb": "cny", "yuan": "cny", "元": "cny", "人民币": "cny", "人民幣": "cny",
	"chf": "chf", "franken": "chf",
}

// longestCurrency is the maximum length of a word for a currency, in bytes.
const longestCurrency = len("人民币")

// currencyTerm returns the term of any amount in a currency.
func currencyTerm(code string) string { return string(specialField) + code }

// currencyForms returns the terms that count as a word for a currency: the other words for it, and all amounts in
// it.
func currencyForms(word string) (forms []string) {
	code := currencies[strings.ToLower(word)]
	if code == "" {
		return nil
	}
	for _, other := range slices.Sorted(maps.Keys(currencies)) {
		if t := termOfWord(other); currencies[other] == code && isASCII(other) && isASCIILetter(other[0]) && t != termOfWord(word) {
			forms = append(forms, t)
		}
	}
	return append(forms, currencyTerm(code))
}

// scanAmount scans an amount of money at a number: "485 €", "EUR 38,400", "£240,000". The term is the
// same for all words for the currency and all ways to group the digits. It returns the end of the
// amount, or that of the text before if there is none.
func (w *specialTokenScanner) scanAmount(number int) (end int) {
	value, n := parseValue(w.text[number:])
	if n == 0 {
		return number
	}
	start, end := number, number+n
	code, length := currencyAfter(w.text[end:])
	if code != "" {
		end += length
	} else if code, length = currencyBefore(w.text[:number]); code != "" {
		start -= length
	}
	if last := len(w.found) - 1; code == "" || last >= 0 && w.found[last].end > start {
		return number // the word before may belong to another amount
	}
	w.found = append(w.found,
		specialToken{term: currencyTerm(code) + " " + value, forms: []string{value, string(specialField) + value, closedForm(value)}, start: start, end: end},
		specialToken{term: currencyTerm(code), isGeneral: true, start: start, end: end})
	return end
}

// parseValue parses a number with or without groups and fraction. It returns it without separators of groups,
// and without zeros at the end of the fraction.
func parseValue(text string) (value string, length int) {
	if value, length = groupedAmount(text); length == 0 {
		_, length = parseDigits(text, mostGrouped)
		value = text[:min(length, mostGrouped)]
	}
	if length == 0 || length > 2*mostGrouped {
		return "", 0
	}
	rest := text[length:]
	if _, n := parseDigits(rest[min(1, len(rest)):], 4); n > 0 && n <= 4 && (rest[0] == '.' || rest[0] == ',') {
		if fraction := strings.TrimRight(rest[1:1+n], "0"); fraction != "" {
			value += "." + fraction
		}
		length += 1 + n
	}
	return value, length
}

// currencyAfter returns the code of the currency at the beginning of a text.
func currencyAfter(text string) (code string, length int) {
	rest := strings.TrimLeft(text, " ")
	n := runLength(rest, isWord)
	if n > 0 && n <= longestCurrency {
		code = currencies[strings.ToLower(rest[:n])]
		return code, len(text) - len(rest) + n
	}
	for _, sign := range []string{"€", "£", "$", "¥", "元", "人民币", "人民幣", "欧元", "歐元", "英镑", "英鎊", "美元"} {
		if after, ok := strings.CutPrefix(rest, sign); ok {
			if rest != text && after != "" && isDigitByte(after[0]) {
				return "", 0 // it belongs to the next number
			}
			return currencies[sign], len(text) - len(rest) + len(sign)
		}
	}
	return "", 0
}

// currencyBefore returns the code of the currency at the end of a text.
func currencyBefore(text string) (code string, length int) {
	rest := strings.TrimRight(text, " ")
	for _, sign := range []string{"€", "£", "$", "¥", "人民币", "人民幣"} {
		before, ok := strings.CutSuffix(rest, sign)
		if !ok {
			continue
		}
		if sign == "$" && before != "" && isASCIILetter(before[len(before)-1]) && !strings.HasSuffix(before, "US") {
			return "", 0 // another dollar
		}
		return currencies[sign], len(text) - len(before)
	}
	n := 0
	for n < len(rest) && n < longestCurrency && isASCIILetter(rest[len(rest)-n-1]) {
		n++
	}
	word := rest[len(rest)-n:]
	if last, _ := utf8.DecodeLastRuneInString(rest[:len(rest)-n]); n < len("eur") || n < len(rest) && isWord(last) {
		return "", 0
	}
	return currencies[strings.ToLower(word)], n + len(text) - len(rest)
}
