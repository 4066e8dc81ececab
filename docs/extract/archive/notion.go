package archive

import (
	"slices"
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// Notion exports a workspace as zip archives within a zip archive, and appends the ID of a page or
// database to its name: "Recipes 0123….csv" holds the rows of a view, "Recipes 0123…_all.csv" all
// rows. An export of a few pages is contained in one folder.

var (
	exportFolder = lazyregexp.New(`^Export-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/`)
	exportPart   = lazyregexp.New(`(?i)(?:^|/)[^/]*-Part-[0-9]+\.zip$`)
	idInName     = lazyregexp.New(` [0-9a-f]{32}(_all\.csv$|\.[^./]*$|/|$)`)
	idInText     = lazyregexp.New(`(?:%20|-)[0-9a-f]{32}\b`)
)

const allRows = "_all.csv"

// unfoldExport replaces the nested archives of a Notion export by their members, one level deep,
// and removes the IDs from the names.
func (a *Archive) unfoldExport() {
	parts := a.takeMembers(func(m *Member) bool { return exportPart.MatchString(m.Name) })
	for i := range parts {
		content, err := a.Read(&parts[i])
		if err == nil {
			err = a.addMembers(content)
		}
		if parts[i].why = err; err != nil {
			a.Members = append(a.Members, parts[i])
		}
	}
	a.IsNotionExport = slices.ContainsFunc(a.Members, func(m Member) bool { return idInName.MatchString(m.Name) })
	if !a.IsNotionExport {
		return
	}
	complete := make(map[string]bool)
	for _, m := range a.Members {
		if view, ok := strings.CutSuffix(m.Name, allRows); ok {
			complete[view+".csv"] = true
		}
	}
	a.takeMembers(func(m *Member) bool { return complete[m.Name] })
	for i := range a.Members {
		m := &a.Members[i]
		m.Name = idInName.ReplaceAllString(exportFolder.ReplaceAllString(m.Name, ""), "$1")
	}
}

// takeMembers removes the members for which isMeant returns true from the archive, and returns
// them.
func (a *Archive) takeMembers(isMeant func(*Member) bool) (taken []Member) {
	a.Members = slices.DeleteFunc(a.Members, func(m Member) bool {
		if isMeant(&m) {
			taken = append(taken, m)
			return true
		}
		return false
	})
	return taken
}

// RemoveNotionPageIDs returns a text from a Notion export without the page IDs in its links.
func RemoveNotionPageIDs(text string) string { return idInText.ReplaceAllString(text, "") }
