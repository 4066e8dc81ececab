// These functions distinguish titles that authors gave their documents from titles that programs
// make up, such as "Document1".

package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/charset"
	"vademecum/internal/base/lazyregexp"
)

// madeUpTitles matches titles that programs make up for documents without one.
var madeUpTitles = lazyregexp.New(`(?i)^(microsoft (word|powerpoint|excel)( - .*)?|powerpoint (presentation|演示文稿)|(untitled|document|slide|book|layout|presentation|new page|无标题|未命名|文档|幻灯片|演示文稿|工作簿)[ -]?\d*|untitled (document|spreadsheet|presentation|drawing)|\(?unsaved \w+\)?|.*\btemplate - word|unknown|no ?name|none|title|标题)$`)

// fileNames matches file names and paths.
var fileNames = lazyregexp.New(`(?i)(^\S*[\\/]\S*$)|\.(docx?|pptx?|xlsx?|pdf|dvi|ps|tex|rtf|odt|indd|qxd|fm|wpd|txt|html?|pages|cdr|ai|exe|xft|drp)$`)

const maxTitle = 300 // maximum length in characters

// CleanMetadataTitle returns a title from the metadata of a PDF or RTF file on one line. It returns
// "" if a program made the title up, or if it is a file name or has no words.
func CleanMetadataTitle(title string) string {
	title = OneLine(strings.ToValidUTF8(title, ""))
	letters := 0
	for _, c := range title {
		if !charset.HasUnicodeMeaning(c) {
			return ""
		}
		if unicode.IsLetter(c) {
			letters++
		}
	}
	if letters < 2 || utf8.RuneCountInString(title) > maxTitle || isMadeUp(title) || fileNames.MatchString(title) {
		return ""
	}
	return title
}

// seriesTitles matches text that is on every paper of a series or journal, and placeholder text of
// templates.
var seriesTitles = lazyregexp.New(`(?i)^(arxiv ?:|doi ?[:/]|https?:|www\.|issn|isbn|vol(ume)?\.? ?\d|\(?pdf\)|(this )?paper (title|is included in)|` +
	`(white ?paper|(\w+ )?research report|foreword|preface|abstract|introduction|(table of )?contents|term paper|.*\bpreprint|(usenix|acm|ieee)( association)?)$|open access|research article|original (article|paper|research)|review article|technical report|contents lists available|` +
	`(type|click|insert|enter) (the |your |here )|(department|dept\.?|faculty|school|institute|college|laboratory) (of|for) |\S+@\S+$|proceedings of |(the )?\d{4} (ieee|acm|international) |` +
	`\d{4} \d+(st|nd|rd|th) (ieee |acm )?international (conference|workshop|symposium))|` +
	`\b(international )?journal of .*\b(vol|issn|\d{4})\b|` +
	`\b(jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}( ?[–-] ?\d{1,2})?, \d{4}$`) // the place and dates of a conference

// MayBeDocumentTitle reports whether a text may be the title of a single document, rather than that of its
// series, journal or template.
func MayBeDocumentTitle(title string) bool { return title != "" && !seriesTitles.MatchString(title) }

// madeUpOfficeTitles matches further titles that programs make up, besides madeUpTitles.
var madeUpOfficeTitles = lazyregexp.New(`(?i)^(presentation|word document|no slide title|untitled spreadsheet|` +
	`powerpoint[ -](präsentation|presentatie|プレゼンテーション|프레젠테이션|簡報)|` +
	`(présentation|presentación de|apresentação do|presentazione( standard)? di|презентация|prezentacja programu) powerpoint)$`)

const longTitle = 300 // length in bytes

// siteAddresses matches addresses of web sites, which programs and distributors of files use as
// titles.
var siteAddresses = lazyregexp.New(`(?i)^(https?://|www\.)\S*$|^([\w-]+\.)+(com|cn|net|org|info|edu|gov|io|cc|tv|top|vip|xyz|de|fr|jp|kr|uk|ru)(/\S*)?$`)

// isMadeUp reports whether a program made up the title, rather than the author.
func isMadeUp(title string) bool {
	return madeUpTitles.MatchString(title) || madeUpOfficeTitles.MatchString(title) || siteAddresses.MatchString(title)
}

// RemoveGeneratedTitle returns title, or "" if a program made it up, rather than the author.
func RemoveGeneratedTitle(title string) string {
	if len(title) > longTitle || isMadeUp(strings.TrimSpace(title)) {
		return ""
	}
	return title
}

// TextMentionsTitle reports whether a text contains most words of a title. If it does not, the
// title in the properties of a file is not to be believed: authors seldom see it, and it is often
// that of the file or template from which they started.
func TextMentionsTitle(text, title string) bool {
	text = lettersAndDigits(text)
	words, found := 0, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(title), isNeitherLetterNorDigit) {
		size := utf8.RuneCountInString(word)
		if size < 3 && len(word) == size { // short words such as "of" do not count, but two Chinese characters are a word
			continue
		}
		if words++; strings.Contains(text, word) {
			found++
		}
	}
	return 3*found >= 2*words
}

// lettersAndDigits returns the letters and digits of a text in lower case, without anything between
// them.
func lettersAndDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if isNeitherLetterNorDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

func isNeitherLetterNorDigit(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
