package message

import "strings"

// A Language is one that the program speaks, by its code in ISO 639-1.
type Language string

// The languages of the program.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// LanguageOf returns that of a locale or language tag, such as zh_CN.UTF-8 or en-GB:
// English unless it is Chinese.
func LanguageOf(locale string) Language {
	if strings.HasPrefix(strings.ToLower(locale), "zh") {
		return Chinese
	}
	return English
}
