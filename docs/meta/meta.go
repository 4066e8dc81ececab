// Package meta reads the metadata of a document: the fields of its front matter, its tags, date and
// aliases, and the notes it links to.
//
// It works only on texts, in linear time. It skips what it cannot parse: people write templates in
// front matter, and one invalid line must not affect the others. Of 12,088 notes with front matter
// in eleven public folders, yaml.v3 v3.0.6 rejects 103; these are then parsed in parts, with
// missing quotation marks added.
package meta

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/script"
)

// Data is the metadata of a document. The zero value is empty.
type Data struct {
	Tags        []string // without #, in their first spelling; a/b is nested in a
	Date        Date     // from the front matter; 0 if there is none
	LinkTargets []string // names of the notes it links to, see WikiLinkTarget
	Fields      []Field  // fields of the front matter, except tags
	// for each chunk of a mailbox or calendar, the days of its message or event; nil if a document has
	// one date as a whole
	ChunkDates []DateRange
}

// IsZero reports whether there is no metadata.
func (d Data) IsZero() bool {
	return d.Date == 0 && len(d.Tags)+len(d.LinkTargets)+len(d.Fields)+len(d.ChunkDates) == 0
}

// Field is a field of front matter with one or more values.
type Field struct {
	Key    string // folded; "a.b" for b within a
	Values []string
}

// Limits on what is stored of one document, so that a hostile file is not a burden.
const (
	maxTags   = 200
	maxFields = 100
	maxValues = 200 // of a field
	maxLinks  = 1000
	maxValue  = 200 // bytes of a tag, value or link; anything longer is text
)

// ReadData returns the metadata of the document at path. Front matter is read from any text, tags and
// links only from Markdown.
func ReadData(path, text string, isMarkdown bool) Data {
	var d Data
	head := FrontMatterLength(text)
	var tags distinctTexts
	fields := fieldsOf(text[:head])
	if isMarkdown {
		fields = append(fields, pageProperties(text[head:])...)
	}
	for _, f := range fields {
		if isTagKey(f.Key) {
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
		d.Fields = bookHeaderFields(text)
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
	d.Tags, d.LinkTargets, d.Date = tags.all, links.all, dateOf(d.Fields)
	return d
}

// Aliases returns the aliases in the metadata of a document.
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

// isTagKey reports whether the values of a front matter key are tags.
func isTagKey(key string) bool {
	return slices.Contains([]string{"tags", "tag", "taxonomies.tags", "标签"}, key)
}

// Fold returns the form in which tags, keys, values and names are compared: without surrounding
// white space, in lower case, composed (Unicode NFC), and in simplified Chinese.
func Fold(s string) string {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return strings.Map(script.Simplify, strings.ToLower(norm.NFC.String(s)))
		}
	}
	return s
}

// distinctTexts collects texts. Of texts that are equal when folded it keeps the first.
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
	d.all = append(d.all, strings.Clone(s)) // so that the whole text is not kept in memory
}
