package index

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/index/ingest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
)

// unreadNames caches the names of the files that are not indexed, until the documents change.
type unreadNames struct {
	mu      sync.Mutex
	at      uint64 // change number of the store
	isKnown bool   // the names have been collected once
	// keyed by the first word, or the first character for scripts without spaces
	byBegin map[string][]unreadName
	closed  []*search.Document // folders that this program is not allowed to open
	hidden  []*search.Document // documents with hidden parts, which were not read
}

// unreadName is the name of a file that is not indexed, with a space at each end that is a word
// border.
type unreadName struct {
	name string
	*search.Document
	// path of the file in the document, which is an archive; "" if the name is that of the document
	member string
	why    message.Message // why the member is not read
}

// leastName is the minimum number of characters for a name of a single word to identify a file
// without its extension; leastWideName is the same for scripts without spaces.
const (
	leastName     = 6
	leastWideName = 3
)

// mostNamed is the maximum number of unread files named that a question mentions.
const mostNamed = 3

// namedIn lists the files that a question names, by path.
func (u *unreadNames) namedIn(question string, documents search.Documents) (named []unreadName) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.update(documents)
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
			if strings.Contains(question, n.name) && !slices.ContainsFunc(named, n.isSameFile) {
				named = append(named, n)
			}
		}
	}
	slices.SortFunc(named, unreadName.compare)
	return named
}

func (n unreadName) isSameFile(other unreadName) bool {
	return other.Document == n.Document && other.member == n.member
}

// compare orders files by path.
func (n unreadName) compare(other unreadName) int {
	return cmp.Or(search.CompareLocations(search.Chunk{Document: n.Document}, search.Chunk{Document: other.Document}), cmp.Compare(n.member, other.member))
}

// leastUnknownWord is the minimum number of characters of a word that occurs nowhere to be sought in the
// names of unread files; leastWideUnknownWord is the same for scripts without spaces.
const (
	leastUnknownWord     = 3
	leastWideUnknownWord = 2
)

// withWordIn lists the files of prose, by path, in whose names one of some words stands.
func (u *unreadNames) withWordIn(words []string, documents search.Documents) (found []unreadName) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.update(documents)
	if len(u.byBegin) == 0 {
		return nil
	}
	sought := soughtInNames(words)
	type file struct {
		*search.Document
		member string
	}
	seen := make(map[file]bool)
	for _, names := range u.byBegin {
		for _, n := range names {
			if !formats.IsProse(cmp.Or(n.member, n.Path)) || !slices.ContainsFunc(sought, func(word string) bool { return strings.Contains(n.name, word) }) {
				continue
			}
			if at := (file{n.Document, n.member}); !seen[at] {
				seen[at] = true
				found = append(found, n)
			}
		}
	}
	slices.SortFunc(found, unreadName.compare)
	return found
}

// soughtInNames returns words as they stand in the names of unread files, without those that are too short.
func soughtInNames(words []string) (sought []string) {
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		length := utf8.RuneCountInString(word)
		if length >= leastUnknownWord || script.IsUnspaced(first) && length >= leastWideUnknownWord {
			sought = append(sought, withWordBorders(plainName(word)))
		}
	}
	return sought
}

// closedFolders lists the folders that this program is not allowed to open, so that it reads
// nothing in them.
func (u *unreadNames) closedFolders(documents search.Documents) []*search.Document {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.update(documents)
	return u.closed
}

// withHiddenParts lists the documents with hidden parts, which were not read, by path.
func (u *unreadNames) withHiddenParts(documents search.Documents) []*search.Document {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.update(documents)
	return u.hidden
}

func (u *unreadNames) update(documents search.Documents) {
	now := documents.ChangeNumber()
	if u.isKnown && u.at == now {
		return
	}
	u.at, u.isKnown, u.byBegin, u.closed, u.hidden = now, true, namesOfUnread(documents), nil, nil
	for _, d := range documents.All() {
		if docs.IsInaccessibleFolderSkip(d.SkipReason) {
			u.closed = append(u.closed, d)
		}
		if docs.HasUnreadHiddenParts(d.ExtractionNote, d.SkipReason) {
			u.hidden = append(u.hidden, d)
		}
	}
	slices.SortFunc(u.hidden, func(a, b *search.Document) int {
		return search.CompareLocations(search.Chunk{Document: a}, search.Chunk{Document: b})
	})
}

// namesOfUnread returns the names of files that are not indexed, including files in archives: with
// their extensions, and also without, as people write them, unless that is too unspecific.
func namesOfUnread(documents search.Documents) map[string][]unreadName {
	all := make(map[string][]unreadName)
	add := func(file string, n unreadName) {
		if name := plainName(path.Base(file)); name != "" {
			n.addTo(all, name)
		}
		if name := plainName(ingest.NameWithoutExtension(file)); formats.IsProse(file) && isSpecificName(name) {
			n.addTo(all, name)
		}
	}
	for _, d := range documents.All() {
		if d.SkipReason != "" {
			add(d.Path, unreadName{Document: d})
		}
		for _, m := range formats.UnreadMembers(cmp.Or(d.SkipReason, d.ExtractionNote)) {
			add(m.Name, unreadName{Document: d, member: m.Name, why: m.Reason})
		}
	}
	return all
}

func (n unreadName) addTo(all map[string][]unreadName, name string) {
	n.name = withWordBorders(name)
	begin := nameBeginnings(name)[0]
	all[begin] = append(all[begin], n)
}

// isSpecificName reports whether a name without extension may identify a file.
func isSpecificName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	length := utf8.RuneCountInString(name)
	return length >= leastName || strings.Contains(name, " ") || script.IsUnspaced(first) && length >= leastWideName
}

// plainName normalises a name or a question for comparison.
func plainName(s string) string { return analysis.FoldText(strings.ReplaceAll(s, "_", " ")) }

// withWordBorders adds a space at each end of a name that is a word boundary.
func withWordBorders(name string) string {
	if first, _ := utf8.DecodeRuneInString(name); !script.IsUnspaced(first) {
		name = " " + name
	}
	if last, _ := utf8.DecodeLastRuneInString(name); !script.IsUnspaced(last) {
		name += " "
	}
	return name
}

// nameBeginnings lists where a name in a text may begin: at each word, and at each character of
// scripts without spaces.
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

// closedFolderNotes names folders that this program is not allowed to open: what was not found may
// be there.
func (ix *Index) closedFolderNotes() (notes []notice.Note) {
	closed := ix.unreadNames.closedFolders(ix.store)
	for _, d := range closed[:min(mostNamed, len(closed))] {
		notes = append(notes, notice.Note{Kind: notice.NamedFileNotIndexed, Path: ix.folders.ShownPath(d.Location()), Why: ix.skipOf(d)})
	}
	return notes
}

// hiddenPartNotes names documents that meet a filter and have hidden parts, which were not read: what was
// not found may be there.
func (ix *Index) hiddenPartNotes(only search.Filter) []notice.Note {
	hidden := ix.unreadNames.withHiddenParts(ix.store)
	if len(hidden) == 0 {
		return nil
	}
	if !only.MatchesAll() {
		matching := make(map[*search.Document]bool)
		for _, d := range ix.store.Matching(only) {
			matching[d] = true
		}
		hidden = slices.DeleteFunc(slices.Clone(hidden), func(d *search.Document) bool { return !matching[d] })
	}
	n := notice.Note{Kind: notice.HiddenPartsNotRead, Count: max(0, len(hidden)-mostNamed)}
	for _, d := range hidden[:min(mostNamed, len(hidden))] {
		n.Words = append(n.Words, ix.folders.ShownPath(d.Location()))
	}
	if len(n.Words) == 0 {
		return nil
	}
	return []notice.Note{n}
}

// namedUnreadNotes says that files exist but are not indexed, and why: those that the question names, or
// else those with a word of it in their names that occurs in no document.
func (ix *Index) namedUnreadNotes(question string, unknown []string) (notes []notice.Note) {
	named := ix.unreadNames.namedIn(question, ix.store)
	if len(named) == 0 && len(unknown) > 0 {
		named = ix.unreadNames.withWordIn(unknown, ix.store)
	}
	for _, n := range named[:min(mostNamed, len(named))] {
		shown, why := ix.folders.ShownPath(n.Location()), ix.skipOf(n.Document)
		if n.member != "" {
			shown, why = shown+"/"+n.member, n.why
		}
		notes = append(notes, notice.Note{Kind: notice.NamedFileNotIndexed, Path: shown, Why: why})
	}
	return notes
}
