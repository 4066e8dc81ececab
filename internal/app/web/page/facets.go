package page

import (
	"path"
	"slices"
	"strings"

	"vademecum/index"
	"vademecum/index/notice"
)

// facet is a property by which the results of a question can be filtered: its first values, the
// others, and the number of values that are not listed.
type facet struct {
	Label          string
	Values, Others []facetValue
	More           int
}

// facetValue is a value of a facet, with the number of documents found that have it. To is a link
// that sets or removes it as a filter.
type facetValue struct {
	Name      string
	Documents int
	To        string
	IsOn      bool
}

// chip is a filter that is set, with a link that removes it.
type chip struct {
	Label, Name string
	To          string
}

// How many values of a facet are shown at first, and how many at most.
const (
	firstValues = 7
	mostValues  = 100
)

// facets returns the facets of a search result, with a link for each value that sets or removes it as a
// filter.
func (t locale) facets(a searchForm, found index.Facets) (all []facet) {
	add := func(label string, of []index.DocumentCount, name func(string) string, values ...string) {
		f := facet{Label: label, More: max(len(of)-mostValues, 0)}
		for _, n := range of[:min(len(of), mostValues)] {
			v := facetValue{Name: name(n.Name), Documents: n.Documents, IsOn: true}
			set, unset := []string{"most", ""}, []string{"most", ""}
			for _, field := range values {
				v.IsOn = v.IsOn && a.value(field) == n.Name
				set, unset = append(set, field, n.Name), append(unset, field, "")
			}
			if v.To = a.link("/search", set...); v.IsOn {
				v.To = a.link("/search", unset...)
			}
			f.Values = append(f.Values, v)
		}
		if len(f.Values) > 1 || len(f.Values) == 1 && (f.Values[0].IsOn || f.Values[0].Documents < found.Documents) {
			first := min(len(f.Values), firstValues)
			f.Values, f.Others = f.Values[:first], f.Values[first:]
			all = append(all, f)
		}
	}
	plain := func(name string) string { return name }
	add(t.Say("Folder"), foldersIn(a.Given["in"], found.Folders), path.Base, "in")
	add(t.Say("Kind"), slices.DeleteFunc(slices.Clone(found.Kinds), func(n index.DocumentCount) bool { return n.Name == "" }), func(name string) string { return t.Say(name) }, "kind")
	add(t.Say("Tag"), found.Tags, func(name string) string { return "#" + name }, "tag")
	add(t.Say("Year"), found.Years, plain, "after", "before")
	add(t.Say("Language"), found.Languages, t.languageName, "language")
	return all
}

func (t locale) languageName(code string) string { return t.In(notice.LanguageName(code)) }

// foldersIn returns those folders that are directly in a folder, which is "" for the top.
func foldersIn(in string, all []index.DocumentCount) (some []index.DocumentCount) {
	for _, f := range all {
		if rest, below := strings.CutPrefix(f.Name, in); below && (in == "" || strings.HasPrefix(rest, "/")) && !strings.Contains(strings.TrimPrefix(rest, "/"), "/") {
			some = append(some, f)
		}
	}
	return some
}

// chips returns the filters that are set. A year is one chip although it is two fields. isDocument
// reports that the folder in the filter is really a document.
func (t locale) chips(a searchForm, isDocument bool) (all []chip) {
	year := ""
	if after := a.Given["after"]; len(after) == len("2024") && after == a.Given["before"] {
		year = after
		all = append(all, chip{t.Say("Year"), year, a.link("/search", "after", "", "before", "")})
	}
	for _, p := range a.Fields() {
		value := a.Given[p.Field]
		if value == "" || year != "" && p.IsDate() {
			continue
		}
		label, name := p.Label, value
		switch p.Field {
		case "in":
			if isDocument {
				label = "Document"
			}
		case "tag":
			name = "#" + value
		case "kind":
			name = t.Say(value)
		}
		all = append(all, chip{t.Say(label), name, a.link("/search", p.Field, "")})
	}
	if a.Language != "" {
		all = append(all, chip{t.Say("Language"), t.languageName(a.Language), a.link("/search", "language", "")})
	}
	return all
}

// value returns the value of a filter field, or the language, which is a filter only on the page of
// results.
func (a searchForm) value(field string) string {
	if field == "language" {
		return a.Language
	}
	return a.Given[field]
}

// ByFit returns a link to the question with its results ordered by relevance.
func (a searchForm) ByFit() string { return a.link("/search", "sort", "") }

// ByDate returns a link to the question with its results ordered by date.
func (a searchForm) ByDate() string { return a.link("/search", "sort", "date", "most", "") }

// WithoutFilters returns a link to the question without its filters.
func (a searchForm) WithoutFilters() string {
	changes := []string{"language", "", "most", ""}
	for field := range a.Given {
		changes = append(changes, field, "")
	}
	return a.link("/search", changes...)
}
