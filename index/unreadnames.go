package index

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"vademecum/docs/formats"
	"vademecum/index/ingest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/script"
)

// unreadNames remembers what the files are called that are not indexed, until the documents
// change.
type unreadNames struct {
	mu      sync.Mutex
	at      uint64 // state of the store
	isKnown bool
	byBegin map[string][]unreadName // by the word, or the character, that they begin with
}

// unreadName is what a file is called, with spaces at the borders of words.
type unreadName struct {
	name string
	*search.Document
}

// leastName is how long a name of one word is, in characters, that says which file is meant
// without its extension; leastWideName is that of one in writing without spaces.
const (
	leastName     = 6
	leastWideName = 3
)

// mostNamed is how many files are named at most that a question means and that are unread.
const mostNamed = 3

// NamedIn lists the files that are named in a question, in the order of their paths.
func (u *unreadNames) NamedIn(question string, documents search.Documents) (named []*search.Document) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if now := documents.ChangeNumber(); !u.isKnown || u.at != now {
		u.at, u.isKnown, u.byBegin = now, true, namesOfUnread(documents)
	}
	if len(u.byBegin) == 0 {
		return nil
	}
	question = " " + plainName(question) + " "
	seen := make(map[string]bool)
	for _, begin := range nameBeginnings(question) {
		if seen[begin] {
			continue
		}
		seen[begin] = true
		for _, n := range u.byBegin[begin] {
			if strings.Contains(question, n.name) && !slices.Contains(named, n.Document) {
				named = append(named, n.Document)
			}
		}
	}
	slices.SortFunc(named, func(a, b *search.Document) int {
		return search.CompareLocations(search.Chunk{Document: a}, search.Chunk{Document: b})
	})
	return named
}

// namesOfUnread are the names of files that are not indexed: with their extensions, and
// those that people read without them too, unless they say too little.
func namesOfUnread(documents search.Documents) map[string][]unreadName {
	all := make(map[string][]unreadName)
	add := func(name string, d *search.Document) {
		begin := nameBeginnings(name)[0]
		all[begin] = append(all[begin], unreadName{withWordBorders(name), d})
	}
	for _, d := range documents.All() {
		if d.Skip == "" {
			continue
		}
		if name := plainName(path.Base(d.Path)); name != "" {
			add(name, d)
		}
		if name := plainName(ingest.NameWithoutExtension(d.Path)); formats.IsProse(d.Path) && isSpecificName(name) {
			add(name, d)
		}
	}
	return all
}

// isSpecificName tells whether a name alone may mean a file.
func isSpecificName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	length := utf8.RuneCountInString(name)
	return length >= leastName || strings.Contains(name, " ") || script.IsUnspaced(first) && length >= leastWideName
}

// plainName is a name, or a question, for comparison.
func plainName(s string) string { return analysis.FoldText(strings.ReplaceAll(s, "_", " ")) }

// withWordBorders puts a space before and behind a name where a word has its border.
func withWordBorders(name string) string {
	if first, _ := utf8.DecodeRuneInString(name); !script.IsUnspaced(first) {
		name = " " + name
	}
	if last, _ := utf8.DecodeLastRuneInString(name); !script.IsUnspaced(last) {
		name += " "
	}
	return name
}

// nameBeginnings lists what a name in a text may begin with: each word, and each character of
// writing without spaces.
func nameBeginnings(text string) (all []string) {
	for _, word := range strings.Fields(text) {
		if first, _ := utf8.DecodeRuneInString(word); !script.IsUnspaced(first) {
			all = append(all, word)
			continue
		}
		for _, r := range word {
			all = append(all, string(r))
		}
	}
	return all
}

// namedUnreadNotes says of files that a question names that they are there and not indexed, and
// why.
func (ix *Index) namedUnreadNotes(question string) (notes []notice.Note) {
	named := ix.unreadNames.NamedIn(question, ix.store)
	for _, d := range named[:min(mostNamed, len(named))] {
		notes = append(notes, notice.Note{Kind: notice.NamedUnread, Path: ix.folders.ShownPath(d.Location()), Why: d.Skip})
	}
	return notes
}
