package meta

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// bookKeys are the keys in the header of a Chinese book or article, one per line, in files exported
// from libraries and collections.
var bookKeys = []string{
	"书名", "書名", "标题", "標題", "题名", "題名", "作者", "著者", "编者", "編者", "译者", "譯者", "原著", "朝代", "年代", "年份",
	"出版社", "出版日期", "出版时间", "出版時間", "日期", "来源", "來源", "版本",
}

const (
	maxBookHead  = 20 // maximum lines of the header
	leastBookKey = 2  // minimum keys of a header, as a sentence may begin with one
)

// bookHeaderFields returns the fields in the header of a book, such as "书名：神农本草经" and "作者：孙星衍". Fields
// without a value are omitted.
func bookHeaderFields(text string) []Field {
	var fields []Field
	keys := 0
	for range maxBookHead {
		var line string
		line, pos := nextLine(text, 0)
		text = text[pos:]
		key, value, ok := bookField(line)
		switch {
		case ok:
			keys++
			if value != "" {
				fields = append(fields, Field{Key: strings.Clone(key), Values: []string{strings.Clone(value)}})
			}
		case keys > 0: // end of the header
			text = ""
		}
	}
	if keys < leastBookKey {
		return nil
	}
	return fields
}

// bookField parses a line such as "作者：孙星衍".
func bookField(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, "：")
	if !ok {
		key, value, ok = strings.Cut(line, ":")
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	return key, value, ok && slices.Contains(bookKeys, key) && len(value) <= maxValue && utf8.ValidString(value)
}

// BookTitle returns the title in the header of a Chinese book or article (see bookKeys), or "".
func BookTitle(text string) string {
	for _, f := range bookHeaderFields(text) {
		if slices.Contains(bookKeys[:6], f.Key) {
			return f.Values[0]
		}
	}
	return ""
}
