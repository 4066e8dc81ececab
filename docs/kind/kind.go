// Package kind distinguishes passages that people search for from those that they seldom want:
// lists of links, change logs, licences, references, and documents that only point to another one.
// It consists of pure functions.
package kind

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// Kind is the kind of a passage. Indexes store it: numbers must keep their meaning.
type Kind uint8

const (
	OrdinaryText  Kind = iota // all that is of no other kind
	LinkList                  // mostly links, or a table of contents
	ChangeLog                 // part of a change log
	Licence                   // part of a licence
	References                // part of the bibliography of a paper
	PointerPage               // a whole document that says little more than where to look
	GeneratedFile             // part of a file that a program wrote for programs
	count
)

// String describes a passage of the kind in English.
func (k Kind) String() string { return k.Message().String() }

// Message describes a passage of the kind.
func (k Kind) Message() message.Message { return descriptions[k] }

var descriptions = map[Kind]message.Message{
	LinkList:      message.New("mostly links"),
	ChangeLog:     message.New("a change log"),
	Licence:       message.New("a licence"),
	References:    message.New("a bibliography"),
	PointerPage:   message.New("a pointer to another document"),
	GeneratedFile: message.New("made by a machine"),
}

// Passage is a passage of a document, as given to KindOf.
type Passage struct {
	Path            string // path of the document
	Heading         []string
	Text            string
	IsWholeDocument bool // whether it is the whole text of the document
}

// KindOf determines the kind of a passage from its text, its headings and the path of its document.
func KindOf(p Passage) Kind {
	name := strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path))
	stem := strings.ToLower(name)
	switch {
	case isLicence(name, p.Text):
		return Licence
	case isChangeLog(stem, p.Text):
		return ChangeLog
	case isReferenceList(p.Heading, p.Text):
		return References
	}
	if slices.Contains([]string{".csv", ".tsv"}, strings.ToLower(path.Ext(p.Path))) { // links in rows do not count
		return OrdinaryText
	}
	l := linkStatsOf(p.Text)
	switch {
	case p.IsWholeDocument && (l.isPointerPage(p) || l.isForwardingPage(p.Text)):
		return PointerPage
	case l.areMostText() || isContents(p.Text):
		return LinkList
	}
	return OrdinaryText
}

// isLicence recognises licences by common file names, and by sentences that nearly every licence
// contains. Longer names, such as LICENSE-MIT, must be in capitals.
func isLicence(name, text string) bool {
	for _, usual := range []string{"LICENSE", "LICENCE", "COPYING", "UNLICENSE"} {
		if strings.EqualFold(name, usual) || strings.HasPrefix(name, usual+"-") || strings.HasPrefix(name, usual+"_") {
			return true
		}
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(licenceSentences, func(s string) bool { return strings.Contains(text, s) })
}

var licenceSentences = []string{"permission is hereby granted, free of charge", "the software is provided \"as is\"", "redistribution and use in source and binary forms"}

// isChangeLog recognises change logs by file names. If the name is ambiguous, a line of the
// passage must begin like the heading of a version.
func isChangeLog(stem, text string) bool {
	switch stem {
	case "changelog", "change-log", "change_log", "release-notes", "release_notes", "releasenotes", "更新日志", "变更日志", "修订记录":
		return true
	case "changes", "history", "news", "releases":
		return versionHeading.MatchString(text)
	}
	return false
}

var versionHeading = lazyregexp.New(`(?m)^(?:#+ *|\*\*)?(?:version |release )?\[?v?\d+\.\d+`)

// isReferenceList recognises passages below a heading for references. A short passage without a
// year and a link may be anything.
func isReferenceList(heading []string, text string) bool {
	if len(heading) == 0 {
		return false
	}
	last := strings.ToLower(strings.TrimFunc(heading[len(heading)-1], func(r rune) bool { return !unicode.IsLetter(r) }))
	return slices.Contains(referenceHeadings, last) && citedYear.MatchString(text)
}

var referenceHeadings = []string{
	"references", "bibliography", "works cited", "literature cited", "cited literature", "literatur", "literaturverzeichnis", "bibliographie", "bibliografía",
	"references and footnotes", "footnotes", "参考文献", "参考资料", "参考", "引用文献", "參考文獻", "參考資料",
}

var citedYear = lazyregexp.New(`\b(?:19|20)\d\d\b|https?://|\]\(`)
