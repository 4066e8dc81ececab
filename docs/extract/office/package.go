// Package office contains the common parts of the readers for Office documents: package parts and
// their relationships, charts, formulas, symbol fonts, list numbers, and the names of heading
// styles. It does not read whole documents itself.
package office

import (
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/zipxml"
)

// A Package is an Office Open XML document: an archive of parts with relationships (ECMA-376 part
// 2).
type Package struct {
	*zipxml.Archive
	remainingObjects int // number of bytes of embedded objects that may still be searched for formulas
}

// Open opens an Office Open XML document. The error is a *extract.SkipError.
func Open(raw []byte) (*Package, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return nil, err
	}
	return &Package{a, maxFormulaObjects}, nil
}

// A relation is a relationship of a part of an Office document to another part (ECMA-376 part 2,
// 9.3).
type relation struct {
	Kind   string // last element of its type in the file, such as "header"
	Target string // name of the target part in the archive; "" if it is external
}

// Relations are the relationships of one part of an Office document to other parts.
type Relations struct {
	All        []relation
	TargetByID map[string]string // part names by relationship id
}

// FirstTargetOfKind returns the target of the first relationship of that kind, or "".
func (r *Relations) FirstTargetOfKind(kind string) string {
	for _, link := range r.All {
		if link.Kind == kind {
			return link.Target
		}
	}
	return ""
}

// ReadRelations returns the relationships of a part, or those of the whole document if partName is "".
func (p *Package) ReadRelations(partName string) Relations {
	all := Relations{TargetByID: make(map[string]string)}
	folder, file := path.Split(partName)
	r, err := p.Open(folder + "_rels/" + file + ".rels")
	if err != nil {
		return all
	}
	x := zipxml.NewReader(r)
	x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name != "Relationship" || len(all.All) >= extract.MaxArchiveEntries {
			return false
		}
		rel := relation{Kind: path.Base(e.Attribute("Type"))}
		if e.Attribute("TargetMode") != "External" {
			rel.Target = resolveTarget(folder, e.Attribute("Target"))
		}
		all.All = append(all.All, rel)
		all.TargetByID[e.Attribute("Id")] = rel.Target
		return true
	})
	return all
}

// resolveTarget returns the name in the archive of a relationship target, which may be relative to
// folder.
func resolveTarget(folder, target string) string {
	target, _, _ = strings.Cut(target, "#")
	if strings.HasPrefix(target, "/") || strings.HasPrefix(target, `\`) {
		return zipxml.CleanEntryName(target)
	}
	return zipxml.CleanEntryName(folder + target)
}

// rootRelationPart returns the name of the part to which the whole document has a relationship of
// that kind, or "".
func (p *Package) rootRelationPart(kind string) string {
	links := p.ReadRelations("")
	return links.FirstTargetOfKind(kind)
}

// MainPart returns the name of the main part of the document, or the given default name if the main
// part is not declared or missing.
func (p *Package) MainPart(defaultName string) string {
	if name := p.rootRelationPart("officeDocument"); name != "" && p.HasFile(name) {
		return name
	}
	return defaultName
}

// DocumentTitle returns the title of an Office document.
func (p *Package) DocumentTitle() string {
	part := p.rootRelationPart("core-properties")
	if part == "" {
		part = "docProps/core.xml"
	}
	return p.ReadTitle(part)
}
