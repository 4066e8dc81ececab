package joplin

import (
	"bytes"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// An item is what Joplin writes to one file (BaseItem.serialize of Joplin 3.5): a title, a blank
// line, a body, a blank line, and fields, one per line.
type item struct {
	text   string // title and body of the item, as in the file
	fields map[string]string
}

// Types of items (Joplin's BaseModel).
const (
	typeNote     = "1"
	typeNotebook = "2"
	typeFile     = "4"
)

var itemName = lazyregexp.New(`^[0-9a-f]{32}\.md$`)

// IsItem reports whether a file is an item of a Joplin export: its base name is an ID, which is
// also one of its fields.
func IsItem(name string, raw []byte) bool {
	base := path.Base(name)
	return itemName.MatchString(base) && bytes.Contains(raw, []byte("id: "+strings.TrimSuffix(base, ".md"))) && bytes.Contains(raw, []byte("\ntype_: "))
}

// parseItem parses the content of a file, and reports whether it is an item.
func parseItem(raw []byte) (item, bool) {
	text := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(string(raw), "\uFFFD"), "\r\n", "\n"))
	i := item{fields: make(map[string]string)}
	lines := text
	if at := strings.LastIndex(text, "\n\n"); at >= 0 {
		i.text, lines = strings.TrimRight(text[:at], "\n"), text[at:]
	}
	if strings.HasPrefix(string(raw), "\n") { // the item has no title
		i.text = "\n\n" + strings.TrimLeft(i.text, "\n")
	}
	for line := range strings.Lines(lines) {
		key, value, _ := strings.Cut(line, ":")
		i.fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return i, i.fields["type_"] != "" && i.fields["id"] != ""
}

func (i *item) title() string {
	title, _, _ := strings.Cut(i.text, "\n")
	return markdown.OneLine(title)
}

// fileLink matches a link to another item by its ID, or a reference to a picture.
var fileLink = lazyregexp.New(`!?\[([^\[\]]*)\]\(:/[0-9a-f]{32}[^()]*\)`)

// body returns the text of a note as Markdown, without IDs.
func (i *item) body() (string, error) {
	_, body, _ := strings.Cut(i.text, "\n")
	if isHTML := i.fields["markup_language"] == "2"; isHTML && strings.TrimSpace(body) != "" {
		text, _, err := html.Markdown(body)
		if err != nil && err != extract.ErrNoText {
			return "", err
		}
		return text, nil
	}
	return fileLink.ReplaceAllString(body, "[$1]"), nil
}

// isTitledBy reports whether a body begins with title as a heading.
func isTitledBy(body, title string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
	return strings.HasPrefix(first, "#") && markdown.OneLine(strings.TrimLeft(first, "#")) == title
}

// notebooks returns the path of the notebook that contains an item, such as "Home/Kitchen", which
// consists of the titles of the notebooks. findItem returns an item by its ID.
func (i *item) notebooks(findItem func(id string) (item, bool)) string {
	var titles []string
	for id := i.fields["parent_id"]; id != "" && len(titles) < maxNotebooks; {
		above, ok := findItem(id)
		if !ok || above.fields["type_"] != typeNotebook {
			break
		}
		titles = append([]string{strings.ReplaceAll(above.title(), "/", "_")}, titles...)
		id = above.fields["parent_id"]
	}
	return strings.Join(titles, "/")
}

const maxNotebooks = 32 // maximum depth of nested notebooks

// NotebookPath returns the path of the notebook that contains a note, such as "Home/Kitchen", or ""
// if there is none. raw is the file of the note; readFile returns the content of the file of
// another item by its name.
func NotebookPath(raw []byte, readFile func(name string) []byte) string {
	i, _ := parseItem(raw)
	return i.notebooks(func(id string) (item, bool) { return parseItem(readFile(id + ".md")) })
}
