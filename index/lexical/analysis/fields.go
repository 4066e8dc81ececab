package analysis

import (
	"slices"
	"strings"
	"sync"
)

// A Field identifies where a term occurs outside of the text: the term begins with this mark, a
// character that no word has.
type Field byte

const (
	specialField Field = 1 + iota // see whole
	placeField                    // the number of an article that begins a line
	HeadingField                  // the heading right above a chunk
	FolderField                   // the folders of a document
	FileField                     // the name of its file
	TitleField                    // its title
	aliasField                    // its first other name; the next have the following numbers
	LastField    = aliasField + mostAliases - 1
	stemField    = LastField + 1 // not a name: the stem of a word in a language other than English
)

// mostAliases is how many other names of a document are used.
const mostAliases = 8

// IsFieldTerm reports whether a term belongs to a field.
func IsFieldTerm[T string | []byte](term T) bool { return len(term) > 0 && Field(term[0]) <= stemField }

// WithoutField returns a term without the mark of its field.
func WithoutField(t string) string {
	if IsFieldTerm(t) {
		return t[1:]
	}
	return t
}

// Names are the names of a chunk and its document. Those of a document are given with its first
// chunk only.
type Names struct {
	File    string   // without its extension
	Title   string   // of the document
	Aliases []string // other names of it
	Folders []string // above it
	Heading string   // right above the chunk
}

// A posting of a name stores its size in place of the frequency: how much of it a question can
// have, in quarters of a word. Numbers count a quarter: people remember the words of a name, and
// leave out a date or a number before it.
const (
	wordSize    = 4
	numeralSize = 1
)

// nameTerms lists the distinct terms of a name, without marks. Folders and headings belong to
// many chunks.
func nameTerms(name string) []string {
	namesKnown.mu.RLock()
	terms, ok := namesKnown.terms[name]
	namesKnown.mu.RUnlock()
	if ok {
		return terms
	}
	terms = termsOfName(name)
	namesKnown.mu.Lock()
	defer namesKnown.mu.Unlock()
	if len(namesKnown.terms) >= mostNames {
		clear(namesKnown.terms)
	}
	namesKnown.terms[strings.Clone(name)] = terms
	return terms
}

// namesKnown caches the terms of names, which must not be changed.
var namesKnown = struct {
	mu    sync.RWMutex
	terms map[string][]string
}{terms: make(map[string][]string)}

// mostNames is how many are cached.
const mostNames = 1 << 10

func termsOfName(name string) []string {
	q := questionOf(normalize(underscoresToSpaces(name)))
	var terms []string
	for t := range q.Names {
		t = WithoutZeros(t)
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	slices.Sort(terms)
	return terms
}

// underscoresToSpaces replaces the underscores in a name that mean spaces. Those between digits
// separate the numbers of a date.
func underscoresToSpaces(name string) string {
	isDigit := func(at int) bool { return 0 <= at && at < len(name) && '0' <= name[at] && name[at] <= '9' }
	words := []byte(name)
	for i, c := range words {
		if c == '_' && !(isDigit(i-1) && isDigit(i+1)) {
			words[i] = ' '
		} else if c == '_' {
			words[i] = '-'
		}
	}
	return string(words)
}

// TermSize is what a term adds to the size of a name.
func TermSize(t string) int {
	if t = WithoutField(t); t != "" && '0' <= t[0] && t[0] <= '9' {
		return numeralSize
	}
	return wordSize
}

func sizeOfTerms(terms []string) int {
	size := 0
	for _, t := range terms {
		size += TermSize(t)
	}
	return size
}

// addToCounts adds the terms of the names to those of a chunk.
func (n Names) addToCounts(counts map[string]int) {
	put := func(f Field, name string) {
		terms := nameTerms(name)
		size := sizeOfTerms(terms)
		for _, t := range terms {
			counts[string(f)+t] = size
			if f == FileField && counts[t] == 0 && isNumeral(t) { // it had leading zeros
				counts[t]++
			}
		}
	}
	put(FileField, n.File)
	if n.Title != n.File {
		put(TitleField, n.Title)
	}
	for i, alias := range n.Aliases[:min(len(n.Aliases), mostAliases)] {
		put(aliasField+Field(i), alias)
	}
	put(FolderField, strings.Join(n.Folders, " "))
	put(HeadingField, n.Heading)
}
