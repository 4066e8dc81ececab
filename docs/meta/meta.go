// Package meta reads the metadata of a document: the fields of its front matter, its tags,
// its date, its aliases, and the notes it links to.
//
// It works on texts alone, in linear time. It skips what it cannot parse: people fill
// templates into front matter, and one odd line must not cost the others. Of 12,088 notes
// with front matter in eleven public folders yaml.v3 v3.0.6 refuses 103 as a whole; these
// are then read in parts, with missing quotes added.
package meta

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Data is the metadata of a document. The zero value is empty.
type Data struct {
	Tags   []string // without #, as first written; a/b is nested in a
	Date   Date     // from the front matter, 0 when it has none
	Links  []string // names of the notes it links to, see Link
	Fields []Field  // fields of the front matter, except the tags
}

// IsZero reports whether there is no metadata.
func (d Data) IsZero() bool {
	return d.Date == 0 && len(d.Tags)+len(d.Links)+len(d.Fields) == 0
}

// Field is a field of front matter with one or several values.
type Field struct {
	Key    string // folded; "a.b" for b within a
	Values []string
}

// Limits of what is kept of one document, so that a file that is made to be a
// burden is none.
const (
	maxTags   = 200
	maxFields = 100
	maxValues = 200 // of a field
	maxLinks  = 1000
	maxValue  = 200 // bytes of a tag, value or link: what is longer is text
)

// DataOf returns the metadata of the document of that path. Front matter is read in any
// text, tags and links in Markdown.
func DataOf(path, text string, isMarkdown bool) Data {
	var d Data
	head := FrontMatterLength(text)
	var tags distinctTexts
	fields := fieldsOf(text[:head])
	if isMarkdown {
		fields = append(fields, pageProperties(text[head:])...)
	}
	for _, f := range fields {
		if IsTagKey(f.Key) {
			for _, v := range f.Values {
				if name, isLink := wholeLink(v); isLink {
					v = name
				}
				tags.add(cleanTag(v), maxTags)
			}
			continue
		}
		d.Fields = append(d.Fields, f)
	}
	if !isMarkdown && head == 0 {
		d.Fields = BookFields(text)
	}
	var links distinctTexts
	for _, f := range d.Fields {
		for i, v := range f.Values {
			name, isLink := wholeLink(v)
			if isLink {
				links.add(name, maxLinks)
				v = name
			}
			f.Values[i] = v
		}
	}
	if isMarkdown {
		s := inlineScanner{path: path, tags: &tags, links: &links}
		s.scan(text[head:])
	}
	d.Tags, d.Links, d.Date = tags.all, links.all, dateOf(d.Fields)
	return d
}

// Aliases returns the other names of a document in its metadata.
func (d Data) Aliases() []string {
	var all []string
	for _, f := range d.Fields {
		if isAliasKey(f.Key) {
			all = append(all, f.Values...)
		}
	}
	return all
}

func isAliasKey(key string) bool { return key == "aliases" || key == "alias" }

// IsTagKey reports whether the values of a key of front matter are tags.
func IsTagKey(key string) bool {
	return slices.Contains([]string{"tags", "tag", "taxonomies.tags", "标签"}, key)
}

// Fold returns the form in which tags, keys, values and names are compared: without case,
// Unicode composition and surrounding white space.
func Fold(s string) string {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return strings.ToLower(norm.NFC.String(s))
		}
	}
	return s
}

// distinctTexts collects texts, of those that are the same when they are folded the
// first.
type distinctTexts struct {
	all  []string
	seen map[string]bool
}

func (d *distinctTexts) add(s string, most int) {
	if s == "" || len(s) > maxValue || len(d.all) >= most {
		return
	}
	key := Fold(s)
	if d.seen[key] {
		return
	}
	if d.seen == nil {
		d.seen = make(map[string]bool)
	}
	d.seen[key] = true
	d.all = append(d.all, strings.Clone(s)) // the text is not held for it
}
