package extract

import (
	"path"
	"strings"
)

// A relation leads from one part of an Office document to another (ECMA-376
// part 2, 9.3).
type relation struct {
	kind   string // the last word of its type, such as "header"
	target string // name in the archive, or "" if it lies outside
}

// relations are those of one part.
type relations struct {
	all     []relation
	targets map[string]string // by id
}

// part returns the name of the first part of that kind, or "".
func (r *relations) part(kind string) string {
	for _, link := range r.all {
		if link.kind == kind {
			return link.target
		}
	}
	return ""
}

// relations returns those of a part, or of the whole document for "".
func (a *archive) relations(part string) relations {
	all := relations{targets: make(map[string]string)}
	folder, file := path.Split(part)
	r, err := a.open(folder + "_rels/" + file + ".rels")
	if err != nil {
		return all
	}
	x := newXMLReader(r)
	x.descend(func(e element) bool {
		if e.name != "Relationship" || len(all.all) >= maxEntries {
			return false
		}
		rel := relation{kind: path.Base(e.attr("Type"))}
		if e.attr("TargetMode") != "External" {
			rel.target = resolve(folder, e.attr("Target"))
		}
		all.all = append(all.all, rel)
		all.targets[e.attr("Id")] = rel.target
		return true
	})
	return all
}

// resolve returns the name that a target has in the archive, seen from folder.
func resolve(folder, target string) string {
	target, _, _ = strings.Cut(target, "#")
	if strings.HasPrefix(target, "/") || strings.HasPrefix(target, `\`) {
		return entryName(target)
	}
	return entryName(folder + target)
}

// rootPart returns the name of the part of that kind that the archive names, or
// "".
func (a *archive) rootPart(kind string) string {
	links := a.relations("")
	return links.part(kind)
}

// mainPart returns the name of the part that the document begins with, and
// otherwise where it is not said or not there.
func (a *archive) mainPart(otherwise string) string {
	if name := a.rootPart("officeDocument"); name != "" && a.holds(name) {
		return name
	}
	return otherwise
}

// walk reads a part with read, which finds the reader before the root element.
// A part that is not there is empty.
func (a *archive) walk(part string, read func(*xmlReader)) error {
	r, err := a.open(part)
	if err != nil {
		return err
	}
	x := newXMLReader(r)
	read(x)
	return x.failure()
}

// titleIn returns the first dc:title of the part with the metadata, unless it
// is one that programs make up.
func (a *archive) titleIn(part string) string {
	title := ""
	a.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			if e.name == "title" && title == "" {
				title = oneLine(x.text())
			}
			return e.name == "title"
		})
	})
	return sensibleTitle(title)
}

// officeTitle returns the title of an Office document.
func (a *archive) officeTitle() string {
	part := a.rootPart("core-properties")
	if part == "" {
		part = "docProps/core.xml"
	}
	return a.titleIn(part)
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
