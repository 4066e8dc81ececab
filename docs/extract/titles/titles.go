// Package titles tells the titles that people gave their documents from those
// that programs make up, such as "Document1".
package titles

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/lazyregexp"
)

// programTitles are titles that programs make up.
var programTitles = lazyregexp.New(`(?i)^(microsoft (word|powerpoint|excel)( - .*)?|powerpoint (presentation|演示文稿)|(untitled|document|slide|book|layout|presentation|new page|无标题|未命名|文档|幻灯片|演示文稿|工作簿)[ -]?\d*|untitled (document|spreadsheet|presentation|drawing)|\(?unsaved \w+\)?|.*\btemplate - word|unknown|no ?name|none|title|标题)$`)

// fileNames are names or addresses of files.
var fileNames = lazyregexp.New(`(?i)(^\S*[\\/]\S*$)|\.(docx?|pptx?|xlsx?|pdf|dvi|ps|tex|rtf|odt|indd|qxd|fm|wpd|txt|html?|pages|cdr|ai|exe|xft|drp)$`)

const maxTitle = 300 // characters

// ChosenStrictly returns title on one line, or "" if it is one that programs
// make up, the name of a file, or no words: what the metadata of PDF and RTF
// files give.
func ChosenStrictly(title string) string {
	title = markdown.OneLine(strings.ToValidUTF8(title, ""))
	letters := 0
	for _, c := range title {
		if !charset.IsCharacter(c) {
			return ""
		}
		if unicode.IsLetter(c) {
			letters++
		}
	}
	if letters < 2 || utf8.RuneCountInString(title) > maxTitle || programTitles().MatchString(title) || fileNames().MatchString(title) {
		return ""
	}
	return title
}

// officeTitles are titles that programs make up, beside programTitles.
var officeTitles = lazyregexp.New(`(?i)^(presentation|word document|no slide title|untitled spreadsheet|` +
	`powerpoint[ -](präsentation|presentatie|プレゼンテーション|프레젠테이션|簡報)|` +
	`(présentation|presentación de|apresentação do|presentazione( standard)? di|презентация|prezentacja programu) powerpoint)$`)

const longTitle = 300 // bytes

// Chosen returns title, or "" if it is one that programs make up.
func Chosen(title string) string {
	if len(title) > longTitle || programTitles().MatchString(title) || officeTitles().MatchString(title) {
		return ""
	}
	return title
}
