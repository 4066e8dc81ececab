package notice

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/internal/base/script"
)

// Report is the result of a run over the files.
type Report struct {
	Indexed             int // new or changed documents
	Unchanged           int
	Removed             int
	Skipped             []SkippedFile // files in scope that are not indexed
	ClientTexts         int           `json:"Texts"` // texts that the client keeps beside the files
	SearchableDocuments int           `json:"Total"` // number of searchable documents now, with Texts
}

// SkippedFile is a file that is not indexed.
type SkippedFile struct {
	Path   string          `json:"path"`
	Reason message.Message `json:"reason"`
}

// String describes the result in a few lines, in English.
func (r Report) String() string { return r.InLanguage(message.English) }

// InLanguage describes the result in a few lines, in the given language.
func (r Report) InLanguage(language message.Language) string {
	lines := []message.Message{message.New("Indexed %v; %d in total.", documentCount(r.Indexed), r.SearchableDocuments)}
	if r.Unchanged > 0 {
		lines = append(lines, message.New("Unchanged: %v.", documentCount(r.Unchanged)))
	}
	if r.Removed > 0 {
		lines = append(lines, message.New("Removed: %v.", documentCount(r.Removed)))
	}
	if r.ClientTexts > 0 {
		lines = append(lines, message.New("In addition to the files: %v of this session.", documentCount(r.ClientTexts)))
	}
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(line.InLanguage(language) + "\n")
	}
	if len(r.Skipped) > 0 {
		out.WriteString(SkippedList(r.Skipped, language))
	}
	return strings.TrimSpace(out.String())
}

// SkippedList lists the files that are not indexed, by reason, in the given language.
func SkippedList(skipped []SkippedFile, language message.Language) string {
	const named = 5 // number of files named for each reason
	byReason := make(map[string][]string)
	var reasons []string
	for _, s := range skipped {
		reason := present.CleanLine(s.Reason.InLanguage(language))
		if byReason[reason] == nil {
			reasons = append(reasons, reason)
		}
		byReason[reason] = append(byReason[reason], present.CleanLine(s.Path))
	}
	var out strings.Builder
	out.WriteString(message.New("Not indexed: %v.", message.New("%d files", len(skipped))).InLanguage(language) + "\n")
	for _, reason := range reasons {
		paths := byReason[reason]
		more := ""
		if len(paths) > named {
			more = message.New(" and %d more", len(paths)-named).InLanguage(language)
		}
		fmt.Fprintf(&out, message.New("- %s: %s%s\n").InLanguage(language), reason, strings.Join(paths[:min(named, len(paths))], ", "), more)
	}
	return strings.TrimSpace(out.String())
}

// FilesDone says how many of the files to be read have been read. The words make clear that these are
// not all files of the folder.
func FilesDone(done, total int) message.Message {
	return message.New("%d of %d files that are new, changed or to be read again", done, total)
}

// DocumentsRemoved says how many of the documents whose files are gone have been removed so far.
func DocumentsRemoved(done, total int) message.Message {
	return message.New("%d of %d documents whose files are gone", done, total)
}

// DocumentRemarks says what is missing from the text of a document, and at which interval it is read;
// 0 means after each change. It returns "" if nothing is missing and the interval is 0.
func DocumentRemarks(missingParts message.Message, readInterval time.Duration) message.Message {
	if readInterval == 0 {
		return missingParts
	}
	return message.Join(missingParts, message.New("changes constantly and is read every %s", FormatDuration(readInterval)))
}

// NothingFound says that no passage was found. mayBeIncomplete means that there may be documents that
// were not searched.
func NothingFound(mayBeIncomplete bool) message.Message {
	return message.New("Nothing in %v matches.", searchedMessage(mayBeIncomplete))
}

// NothingFoundIn says that no passage was found in the only document that was searched.
func NothingFoundIn(path string) message.Message {
	return message.New("Nothing in %s matches.", present.QuoteName(path))
}

// OccurrencesFound says how often a text occurs, and in how many documents.
func OccurrencesFound(occurrences, documents int) message.Message {
	if occurrences == 1 {
		return message.New("%d place in %v.", occurrences, documentCount(documents))
	}
	return message.New("%d places in %v.", occurrences, documentCount(documents))
}

// DatabaseUnreachableNow says that a request cannot be answered now.
var DatabaseUnreachableNow = message.New("the database cannot be reached now: ask again in a moment")

// QuoteOmitsText says that text omitted from a quotation may change its meaning.
var QuoteOmitsText = message.New("the omitted text may change the meaning")

// QuoteIsStruckOut says that words of a quotation are struck out in a document.
var QuoteIsStruckOut = message.New("it is struck out there, in whole or in part, and is no longer valid")

// QuoteIsStruckOutIn names another document in which a quotation is struck out.
func QuoteIsStruckOutIn(path string) message.Message {
	return message.New("it is struck out in %s", path)
}

// QuoteHasStruckMarks says that a quotation has the marks of struck-out text like its document.
var QuoteHasStruckMarks = message.New("text between ~~ and ~~ is struck out and no longer valid")

// QuotePartsNotConsecutive says that the parts of a quotation are not consecutive in a document.
var QuotePartsNotConsecutive = message.New("its parts are apart or in a different order")

// QuoteOmitsWordBefore names the word directly before the quoted text in the document, such as a "not", that
// was not quoted.
func QuoteOmitsWordBefore(word string) message.Message {
	return message.New("it comes after “%s”", word)
}

// QuoteJoinsBlocks says that a quotation runs over several rows of a table, items or headings of a document.
var QuoteJoinsBlocks = message.New("it joins words of separate rows, list items or headings")

// QuoteNotFromDocument says that a quotation is not from the document it is attributed to.
func QuoteNotFromDocument(path string) message.Message {
	return message.New("it is not in %s", present.QuoteName(path))
}

// DatabaseReadOnlyMessage says that the database accepts no changes now.
func DatabaseReadOnlyMessage(why message.Message) message.Message {
	return message.New("the database accepts no changes now (%v): changes in the folder are indexed automatically once it does", why)
}

func searchedMessage(soFar bool) message.Message {
	if soFar {
		return message.New("what is indexed so far")
	}
	return message.New("the documents")
}

// FormatCitation returns the position of a passage, such as "notes/a.md, lines 12-40".
func FormatCitation(path string, place message.Message) message.Message {
	return message.New("%s, %v", present.CleanLine(path), place)
}

// Place is a position in a document.
type Place struct {
	Path     string          // path as shown
	Position message.Message // such as "lines 12-40"; "" for the whole document
}

// Message cites the place.
func (p Place) Message() message.Message {
	if p.Position == "" {
		return message.Message(present.CleanLine(p.Path))
	}
	return FormatCitation(p.Path, p.Position)
}

// MarshalText cites the place in English, which is its form in JSON.
func (p Place) MarshalText() ([]byte, error) { return p.Message().MarshalText() }

// FoundByWordParts says that a passage was found by parts of the words of the query, not by whole words.
var FoundByWordParts = message.New("matches parts of words, not the words themselves")

// SameTextElsewhere lists further places of a text, and the number of those not listed. It returns "" if
// there are none.
func SameTextElsewhere(places []Place, unlisted int) message.Message {
	var all []message.Message
	for _, p := range places {
		all = append(all, p.Message())
	}
	if unlisted > 0 {
		all = append(all, message.New("and %d more", unlisted))
	}
	return message.Join(all...)
}

// PlacesInDocument lists places in one document, without its path. It returns "" if there are none.
func PlacesInDocument(places []Place) message.Message {
	var all []message.Message
	for _, p := range places {
		all = append(all, p.Position)
	}
	return message.Join(all...)
}

// documentCount returns a number of documents in words for people, such as "3 documents".
func documentCount(n int) message.Message { return message.New("%d documents", n) }

// CountNoun returns a number with its noun in English.
func CountNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ErrorLine returns the message of an error in one line.
func ErrorLine(err error) message.Message {
	return message.FromError(err).MapForeignTexts(present.JoinLines)
}

// FormatSize formats a size in bytes for people.
func FormatSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// FoldersFilledByProgramsMessages returns a message for each name of the given folders, which are excluded because
// folders of that name are filled by programs. It says which they are, and how to have them indexed.
func FoldersFilledByProgramsMessages(paths []string) (all []message.Message) {
	byName := make(map[string][]string)
	for _, p := range paths {
		byName[path.Base(p)] = append(byName[path.Base(p)], p)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, message.New("%v called %s, filled by programs: %v; to index one, put the line !%[2]s/ in a .vademecumignore next to it", message.New("%d folders", len(byName[name])), name, firstFolders(byName[name], name)))
	}
	return all
}

// firstFolders names the first of the folders with a name, and the command that lists all of them.
func firstFolders(paths []string, name string) message.Message {
	const named = 3
	first := message.Message(present.CleanLine(paths[0]) + "/")
	for _, p := range paths[1:min(named, len(paths))] {
		first = message.New("%v, %s/", first, present.CleanLine(p))
	}
	if len(paths) <= named {
		return first
	}
	return message.New("%v and %d more (vademecum status FOLDER --why %s lists them)", first, len(paths)-named, present.ShellWord(name))
}

// LanguageName returns the name of the language with the given code, or the code if it is unknown.
func LanguageName(code string) message.Message {
	return message.New(script.LanguageName(code))
}

// languageMessage says which languages the documents are in, if the question is in none of them.
func (n Note) languageMessage() message.Message {
	var names []message.Message
	for _, code := range n.Words {
		names = append(names, LanguageName(code))
	}
	if len(names) == 1 {
		return message.New("Most documents are in %v, but the question is not: ask in %[1]v, or add wordings in it, to find more.", names[0])
	}
	return message.New("Most documents are in these languages: %v, but the question is not: ask in one of them, or add wordings in them, to find more.", joinMessages(names))
}
