package extract

import (
	"path"
	"strings"
)

// An opcPackage is a document in Office Open XML: an archive whose parts say how
// they belong together (ECMA-376 part 2).
type opcPackage struct{ *archive }

// openPackage reads the directory of a document.
func openPackage(raw []byte) (*opcPackage, error) {
	a, err := openArchive(raw)
	if err != nil {
		return nil, err
	}
	return &opcPackage{a}, nil
}

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
func (p *opcPackage) relations(part string) relations {
	all := relations{targets: make(map[string]string)}
	folder, file := path.Split(part)
	r, err := p.open(folder + "_rels/" + file + ".rels")
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
func (p *opcPackage) rootPart(kind string) string {
	links := p.relations("")
	return links.part(kind)
}

// mainPart returns the name of the part that the document begins with, and
// otherwise where it is not said or not there.
func (p *opcPackage) mainPart(otherwise string) string {
	if name := p.rootPart("officeDocument"); name != "" && p.holds(name) {
		return name
	}
	return otherwise
}

// officeTitle returns the title of an Office document.
func (p *opcPackage) officeTitle() string {
	part := p.rootPart("core-properties")
	if part == "" {
		part = "docProps/core.xml"
	}
	return p.titleIn(part)
}
