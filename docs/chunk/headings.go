package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// maxHeadingLine is the maximum length, in bytes, of a heading in plain text.
const maxHeadingLine = 160

const (
	chineseDigits = "〇零一二三四五六七八九十百"
	endOfSentence = "。！？；…，,.!?;、"
)

// A headingKey is the kind of numbered heading that a line of plain text resembles. Headings with
// equal keys are siblings.
type headingKey struct {
	level   int  // 0 if the line is not a heading
	numeric bool // whether it has the form "1. Title", which is as common in lists
}

// Levels of headings in plain text, below those of underlined titles (1, 2).
const (
	levelPart      = 3 + iota // 第一编, 第二部分
	levelChapter              // 第一章
	levelSection              // 第一节
	levelItem                 // 一、
	levelSubItem              // （一）
	levelNumeric              // 1. Title
	levelSubNumber            // 1.2 Title; 1.2.3 Title is one level below, and so on
)

// headingKeyOf returns the key of a line that looks like a numbered heading; the zero value for any
// other line. Whether it is a heading also depends on the lines around it, see standsAlone.
func headingKeyOf(line string) headingKey {
	if len(line) > maxHeadingLine+maxPadding {
		return headingKey{}
	}
	line = strings.TrimSpace(line)
	if line == "" || len(line) > maxHeadingLine {
		return headingKey{}
	}
	var key headingKey
	rest := ""
	switch c := line[0]; {
	case '1' <= c && c <= '9':
		key, rest = numericHeading(line)
	case c < utf8.RuneSelf && c != '(':
		return headingKey{}
	default:
		key.level, rest = chineseHeading(line)
	}
	if key.level == 0 || !isTitleLike(rest) {
		return headingKey{}
	}
	return key
}

// isTitleLike reports whether the text after the number of a heading is short and not a sentence.
func isTitleLike(title string) bool {
	const most = 40
	last, _ := utf8.DecodeLastRuneInString(title)
	return utf8.RuneCountInString(title) <= most && !strings.ContainsRune(endOfSentence, last) &&
		!strings.ContainsAny(title, "。；！？;|\t")
}

// chineseHeading recognises 第三章 …, 一、… and （一）….
func chineseHeading(line string) (level int, title string) {
	if rest, ok := strings.CutPrefix(line, "第"); ok {
		unit := strings.TrimLeft(rest, chineseDigits+"0123456789 ")
		if unit == rest {
			return 0, ""
		}
		return chineseUnitLevel(unit)
	}
	if rest, ok := cutAnyPrefix(line, "（", "("); ok {
		number := strings.TrimLeft(rest, chineseDigits)
		title, ok := cutAnyPrefix(number, "）", ")")
		if !ok || number == rest || !hasLetter(title) {
			return 0, ""
		}
		return levelSubItem, title
	}
	number := strings.TrimLeft(line, chineseDigits)
	title, ok := strings.CutPrefix(number, "、")
	if !ok || number == line || !hasLetter(title) {
		return 0, ""
	}
	return levelItem, title
}

// chineseUnitLevel cuts the unit that follows the number in 第三章, and returns its level.
func chineseUnitLevel(s string) (level int, title string) {
	for _, u := range []struct {
		unit  string
		level int
	}{
		{"部分", levelPart}, {"编", levelPart}, {"篇", levelPart}, {"卷", levelPart},
		{"章", levelChapter}, {"节", levelSection},
	} {
		title, ok := strings.CutPrefix(s, u.unit)
		if !ok {
			continue
		}
		// 第三章 must be alone, or before a space or colon; 第三章节 and 第一章的 are not headings.
		if r, _ := utf8.DecodeRuneInString(title); title == "" || unicode.IsSpace(r) || r == '：' || r == ':' {
			return u.level, title
		}
	}
	return 0, ""
}

// numericHeading recognises "1. Title", "1、Title" and "1.2 Title".
func numericHeading(line string) (headingKey, string) {
	const maxDepth = 6
	dots := 0
	i := 0
	for ; i < len(line) && i < 3*maxDepth && ('0' <= line[i] && line[i] <= '9' || line[i] == '.'); i++ {
		if line[i] == '.' {
			dots++
		}
	}
	number, rest := line[:i], line[i:]
	if number[i-1] == '.' {
		dots--
	} else if title, ok := strings.CutPrefix(rest, "、"); ok && dots == 0 {
		rest = " " + title
	} else if dots == 0 {
		return headingKey{}, "" // "2 tablets"
	}
	if strings.Contains(number, "..") || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return headingKey{}, ""
	}
	title := strings.TrimSpace(rest)
	if r, _ := utf8.DecodeRuneInString(title); !unicode.IsUpper(r) && !script.IsEastAsian(r) {
		return headingKey{}, "" // "1.5 mg"
	}
	return headingKey{level: levelNumeric + dots, numeric: true}, title
}

// tags are the tags, with their levels, that precede the headings of Chinese books exported from a
// book collection: "<目录>卷一" is above "<篇名>痰火证论".
var tags = []struct {
	text  string
	level int
}{{"<目录>", 1}, {"<目錄>", 1}, {"<卷名>", 1}, {"<篇名>", 2}, {"<章名>", 2}, {"<标题>", 2}, {"<標題>", 2}, {"<节名>", 3}, {"<節名>", 3}}

// headingWithExportTag returns the level of a heading that begins with a tag such as "<篇名>", and the
// text after the tag, which may be empty. The level is 0 if the line has no such tag.
func headingWithExportTag(line string) (level int, title string) {
	if len(line) > maxHeadingLine+maxPadding || !strings.Contains(line, ">") {
		return 0, ""
	}
	line = strings.TrimSpace(line)
	for _, tag := range tags {
		if title, ok := strings.CutPrefix(line, tag.text); ok {
			return tag.level, shortenTitle(title)
		}
	}
	return 0, ""
}

func cutAnyPrefix(s string, prefixes ...string) (string, bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	return s, false
}

// bullets are characters that begin a list item even if no space follows.
const bullets = "•·‣◦●○▪▫■□◆◇★☆①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"

// startsListItem reports whether a line begins with the marker of a list item.
func startsListItem(line string) bool {
	line = strings.TrimLeft(line[:min(len(line), maxPadding)], " \t\u3000")
	if line == "" {
		return false
	}
	switch c := line[0]; {
	case c == '-' || c == '*' || c == '+':
		return len(line) > 1 && (line[1] == ' ' || line[1] == '\t')
	case '0' <= c && c <= '9':
		rest := strings.TrimLeft(line, "0123456789")
		if len(line)-len(rest) > 3 || rest == "" {
			return false
		}
		if _, ok := cutAnyPrefix(rest, "、", "．", "）"); ok {
			return true
		}
		return len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
	case c == '(':
	case c < utf8.RuneSelf:
		return false
	}
	if r, _ := utf8.DecodeRuneInString(line); strings.ContainsRune(bullets, r) {
		return true
	}
	if rest, ok := cutAnyPrefix(line, "（", "("); ok {
		number := strings.TrimLeft(rest, chineseDigits+"0123456789")
		_, ok = cutAnyPrefix(number, "）", ")")
		return ok && number != rest && len(rest)-len(number) <= 9
	}
	number := strings.TrimLeft(line, chineseDigits)
	return number != line && strings.HasPrefix(number, "、")
}
