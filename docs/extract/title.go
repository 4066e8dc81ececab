package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pdfProgramTitles are titles that programs make up.
var pdfProgramTitles = pattern(`(?i)^(microsoft (word|powerpoint|excel)( - .*)?|powerpoint (presentation|演示文稿)|(untitled|document|slide|book|layout|presentation|new page|无标题|未命名|文档|幻灯片|演示文稿|工作簿)[ -]?\d*|untitled (document|spreadsheet|presentation|drawing)|\(?unsaved \w+\)?|.*\btemplate - word|unknown|no ?name|none|title|标题)$`)

// pdfFileTitles are names or addresses of files.
var pdfFileTitles = pattern(`(?i)(^\S*[\\/]\S*$)|\.(docx?|pptx?|xlsx?|pdf|dvi|ps|tex|rtf|odt|indd|qxd|fm|wpd|txt|html?|pages|cdr|ai|exe|xft|drp)$`)

const maxPDFTitle = 300 // characters

// sensiblePDFTitle returns the title that the metadata of a file gives, or ""
// if that was hardly chosen by a person.
func sensiblePDFTitle(title string) string {
	title = oneLine(strings.ToValidUTF8(title, ""))
	letters := 0
	for _, c := range title {
		if !isCharacter(c) {
			return ""
		}
		if unicode.IsLetter(c) {
			letters++
		}
	}
	if letters < 2 || utf8.RuneCountInString(title) > maxPDFTitle || pdfProgramTitles().MatchString(title) || pdfFileTitles().MatchString(title) {
		return ""
	}
	return title
}

// officeTitles are titles that programs make up, beside pdfProgramTitles.
var officeTitles = pattern(`(?i)^(presentation|word document|no slide title|untitled spreadsheet|` +
	`powerpoint[ -](präsentation|presentatie|プレゼンテーション|프레젠테이션|簡報)|` +
	`(présentation|presentación de|apresentação do|presentazione( standard)? di|презентация|prezentacja programu) powerpoint)$`)

const longTitle = 300 // bytes

func sensibleTitle(title string) string {
	if len(title) > longTitle || pdfProgramTitles().MatchString(title) || officeTitles().MatchString(title) {
		return ""
	}
	return title
}
