package analysis

import (
	"slices"
	"strings"
)

// A Field is a place outside of the text of a chunk where a term occurs, such as the title. It is the
// first byte of the term, a character that no word contains.
type Field byte

const (
	specialField Field = 1 + iota // see specialToken
	placeField                    // number of an article at the beginning of a line
	HeadingField                  // heading directly above a chunk
	FolderField                   // folders of a document
	FileField                     // file name of a document
	TitleField                    // title of a document
	aliasField                    // first alias of a document; the next aliases have the following numbers
	MaxNameField = aliasField + mostAliases - 1
	stemField    = MaxNameField + 1 // stem of a word in a language other than English; not a name
)

// mostAliases is the maximum number of aliases of a document that are used.
const mostAliases = 8

// IsFieldTerm reports whether a term begins with the byte of a Field.
func IsFieldTerm[T string | []byte](term T) bool { return len(term) > 0 && Field(term[0]) <= stemField }

// WithoutField returns a term without its field byte.
func WithoutField(term string) string {
	if IsFieldTerm(term) {
		return term[1:]
	}
	return term
}

// ChunkNames holds the names of a chunk and its document. Those of the document are set only for its
// first chunk.
type ChunkNames struct {
	FileName string   // name of the file without its extension
	Title    string   // title of the document
	Aliases  []string // other names of the document
	Folders  []string // folders that contain the document
	Heading  string   // heading directly above the chunk
}

// The posting of a name stores the size of the name, in quarters of a word, in place of the term
// frequency. It determines which share of the name a query contains. A number counts only a
// quarter, because people remember the words of a name, and leave out a date or number before it.
const (
	wordSize    = 4
	numeralSize = 1
)

// nameTerms returns the distinct terms of a name, without field bytes. It caches them, because
// folders and headings belong to many chunks.
func nameTerms(name string) []string { return termsOfNames.getOrMake(name, termsOfName) }

// termsOfNames caches the terms of file names and headings by name. The slices must not be modified.
var termsOfNames = newWordCache[[]string](1 << 10)

func termsOfName(name string) []string {
	q := questionOf(normalize(underscoresToSpaces(name)))
	var terms []string
	for t := range q.NameTerms {
		t = TrimLeadingZeros(t)
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	slices.Sort(terms)
	return terms
}

// underscoresToSpaces replaces underscores in a name by spaces, and those between digits, which
// separate the parts of a date, by hyphens.
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

// NameTermSizeInQuarterWords returns the size of a term in a name, in quarters of a word: a number counts as a
// quarter of a word.
func NameTermSizeInQuarterWords(term string) int {
	if term = WithoutField(term); term != "" && '0' <= term[0] && term[0] <= '9' {
		return numeralSize
	}
	return wordSize
}

func sizeOfTerms(terms []string) int {
	size := 0
	for _, t := range terms {
		size += NameTermSizeInQuarterWords(t)
	}
	return size
}

// addToCounts adds the terms of the names to the terms of a chunk.
func (n ChunkNames) addToCounts(counts map[string]int) {
	put := func(f Field, name string) {
		terms := nameTerms(name)
		size := sizeOfTerms(terms)
		for _, t := range terms {
			counts[string(f)+t] = size
			if f == FileField && counts[t] == 0 && isNumeral(t) { // the name has it with leading zeros
				counts[t]++
			}
		}
	}
	put(FileField, n.FileName)
	if n.Title != n.FileName {
		put(TitleField, n.Title)
	}
	for i, alias := range n.Aliases[:min(len(n.Aliases), mostAliases)] {
		put(aliasField+Field(i), alias)
	}
	put(FolderField, strings.Join(n.Folders, " "))
	put(HeadingField, n.Heading)
}
