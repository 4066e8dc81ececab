// Numbers of list items in the number formats of documents.

package numberformat

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatListNumber formats the number n of a list item in a number format of Office (ECMA-376 part
// 1, 17.18.59), given by its name, such as "upperRoman". If the format is unknown or cannot express
// n, the result is in digits.
func FormatListNumber(format string, n int) string {
	s := ""
	switch format {
	case "none":
		return ""
	case "upperRoman":
		s = romanNumeral(n)
	case "lowerRoman":
		s = strings.ToLower(romanNumeral(n))
	case "upperLetter":
		s = letterNumeral(n)
	case "lowerLetter":
		s = strings.ToLower(letterNumeral(n))
	case "decimalZero":
		s = fmt.Sprintf("%02d", n)
	case "decimalEnclosedCircle", "decimalEnclosedCircleChinese":
		s = offsetNumeral('①', n, 20)
	case "decimalEnclosedParen":
		s = offsetNumeral('⑴', n, 20)
	case "decimalEnclosedFullstop":
		s = offsetNumeral('⒈', n, 20)
	case "ideographEnclosedCircle":
		s = offsetNumeral('㊀', n, 10)
	case "chineseCounting", "chineseCountingThousand", "taiwaneseCounting", "taiwaneseCountingThousand",
		"japaneseCounting", "koreanCounting":
		s = chineseNumeral(n)
	case "ideographDigital", "japaneseDigitalTenThousand", "taiwaneseDigital", "koreanDigital":
		s = withDigits(n, "〇一二三四五六七八九")
	case "chineseLegalSimplified":
		s = legalNumerals.Replace(chineseNumeral(n))
	case "ideographTraditional":
		s = nthCharacter("甲乙丙丁戊己庚辛壬癸", n)
	case "ideographZodiac":
		s = nthCharacter("子丑寅卯辰巳午未申酉戌亥", n)
	case "decimalFullWidth", "decimalFullWidth2":
		s = withDigits(n, "０１２３４５６７８９")
	case "aiueo", "aiueoFullWidth":
		s = nthCharacter("アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン", n)
	case "iroha", "irohaFullWidth":
		s = nthCharacter("イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス", n)
	case "ganada":
		s = nthCharacter("가나다라마바사아자차카타파하", n)
	case "russianUpper":
		s = nthCharacter("АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ", n)
	case "russianLower":
		s = nthCharacter("абвгдежзиклмнопрстуфхцчшщыэюя", n)
	}
	if s == "" {
		return strconv.Itoa(n)
	}
	return s
}

func romanNumeral(n int) string {
	if n < 1 || n > 3999 {
		return ""
	}
	var s strings.Builder
	for _, d := range []struct {
		value  int
		letter string
	}{
		{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
		{40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
	} {
		for ; n >= d.value; n -= d.value {
			s.WriteString(d.letter)
		}
	}
	return s.String()
}

// letterNumeral returns the n-th of A to Z, AA to ZZ, AAA and so on, as Word counts with letters.
func letterNumeral(n int) string {
	if n < 1 || n > 26*10 {
		return ""
	}
	return strings.Repeat(string(rune('A'+(n-1)%26)), (n-1)/26+1)
}

func offsetNumeral(first rune, n, last int) string {
	if n < 1 || n > last {
		return ""
	}
	return string(first + rune(n-1))
}

// nthCharacter returns the n-th character of a list, from 1, or "".
func nthCharacter(characters string, n int) string {
	if r := []rune(characters); 1 <= n && n <= len(r) {
		return string(r[n-1])
	}
	return ""
}

// withDigits writes n in decimal with the given ten digits, 0 first.
func withDigits(n int, digits string) string {
	d := []rune(digits)
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return d[r-'0']
		}
		return r
	}, strconv.Itoa(n))
}

// chineseNumeral writes n as 一, 十, 十一, 二十 up to 九千九百九十九.
func chineseNumeral(n int) string {
	if n < 1 || n > 9999 {
		return ""
	}
	one := []rune("〇一二三四五六七八九")
	var s strings.Builder
	gap := false
	for i, unit := range []string{"千", "百", "十", ""} {
		d := n / [...]int{1000, 100, 10, 1}[i] % 10
		switch {
		case d == 0:
			gap = s.Len() > 0
			continue
		case gap:
			s.WriteString("零")
		}
		gap = false
		if d != 1 || unit != "十" || s.Len() > 0 {
			s.WriteRune(one[d])
		}
		s.WriteString(unit)
	}
	return s.String()
}

// legalNumerals maps numerals to the forms used on cheques and in contracts.
var legalNumerals = strings.NewReplacer("一", "壹", "二", "贰", "三", "叁", "四", "肆", "五", "伍", "六", "陆",
	"七", "柒", "八", "捌", "九", "玖", "十", "拾", "百", "佰", "千", "仟")
