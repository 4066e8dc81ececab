package notice

import (
	"fmt"
	"strings"
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Report is what a run over the files did.
type Report struct {
	Indexed   int // documents that were new or changed
	Unchanged int
	Removed   int
	Skipped   []SkippedFile // files in the scope that are not indexed
	Total     int           // documents searchable now
}

// SkippedFile is a file that is not indexed.
type SkippedFile struct {
	Path   string          `json:"path"`
	Reason message.Message `json:"reason"`
}

// String returns what a run did in words, in a few lines.
func (r Report) String() string { return r.InLanguage(message.English) }

// InLanguage returns what a run did in words of a language, in a few lines.
func (r Report) InLanguage(l message.Language) string {
	lines := []message.Message{message.New("Indexed %v; %d in total.", documentCount(r.Indexed), r.Total)}
	if r.Unchanged > 0 {
		lines = append(lines, message.New("Unchanged: %v.", documentCount(r.Unchanged)))
	}
	if r.Removed > 0 {
		lines = append(lines, message.New("Removed: %v.", documentCount(r.Removed)))
	}
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(line.In(l) + "\n")
	}
	if len(r.Skipped) > 0 {
		out.WriteString(SkippedList(r.Skipped, l))
	}
	return strings.TrimSpace(out.String())
}

// SkippedList returns the files that are not indexed in words of a language, by reason.
func SkippedList(skipped []SkippedFile, l message.Language) string {
	const named = 5 // files of each reason
	byReason := make(map[string][]string)
	var reasons []string
	for _, s := range skipped {
		reason := present.CleanLine(s.Reason.In(l))
		if byReason[reason] == nil {
			reasons = append(reasons, reason)
		}
		byReason[reason] = append(byReason[reason], present.CleanLine(s.Path))
	}
	var out strings.Builder
	out.WriteString(message.New("Not indexed: %v.", fileCount(len(skipped))).In(l) + "\n")
	for _, reason := range reasons {
		paths := byReason[reason]
		more := ""
		if len(paths) > named {
			more = message.New(" and %d more", len(paths)-named).In(l)
		}
		fmt.Fprintf(&out, message.New("- %s: %s%s\n").In(l), reason, strings.Join(paths[:min(named, len(paths))], ", "), more)
	}
	return strings.TrimSpace(out.String())
}

// FilesDone says how many of the files are done that are to be read, in words that do
// not let a reader take these for all of the folder.
func FilesDone(done, total int) message.Message {
	return message.New("%d of %d files that are new, changed or to be read again", done, total)
}

// DocumentsRemoved is how many documents are removed so far of those that have no file any more.
func DocumentsRemoved(done, total int) message.Message {
	return message.New("%d of %d documents whose files are gone", done, total)
}

// DocumentRemarks says what is missing in the text of a document, and how often it is
// read; every is 0 when that is whenever it changes. It is "" when there is nothing
// to say.
func DocumentRemarks(missing message.Message, every time.Duration) message.Message {
	if every == 0 {
		return missing
	}
	return message.Join(missing, message.New("changes all the time and is read every %s", FormatDuration(every)))
}

// NothingFound says that no passage was found. With soFar there may be documents that
// were not searched.
func NothingFound(soFar bool) message.Message {
	return message.New("Nothing in %v matches.", searchedMessage(soFar))
}

// NothingFoundIn says that no passage was found in the only document that was searched.
func NothingFoundIn(path string) message.Message {
	return message.New("Nothing in %s matches.", present.QuoteName(path))
}

// PlacesFound says how many places of a text there are, in how many documents.
func PlacesFound(n, in int) message.Message {
	if n == 1 {
		return message.New("%d place in %v.", n, documentCount(in))
	}
	return message.New("%d places in %v.", n, documentCount(in))
}

// Away says that a question, or whatever else was asked, cannot be answered now.
var Away = message.New("the database cannot be reached now: ask the same again in a moment")

// LeavesOut says that a quotation is made of pieces.
var LeavesOut = message.New("what it leaves out may change what it says")

// Apart says that the parts of a quotation do not follow one another in a document.
var Apart = message.New("its parts stand apart, or in another order")

// UnquotedBefore says what stands before a quotation and was not quoted with it.
func UnquotedBefore(word string) message.Message {
	return message.New("it stands after “%s”", word)
}

// NotFromDocument says that a quotation is not from the document that it is said to be from.
func NotFromDocument(path string) message.Message {
	return message.New("it does not stand in %s", present.QuoteName(path))
}

// ChangeNotTaken says that a change is not taken now.
func ChangeNotTaken(why message.Message) message.Message {
	return message.New("the database takes no changes now (%v): what has changed in the folder is indexed by itself when it does", why)
}

func searchedMessage(soFar bool) message.Message {
	if soFar {
		return message.New("what is indexed so far")
	}
	return message.New("the documents")
}

// Citation says where a passage stands, such as "notes/a.md, lines 12-40".
func Citation(path string, place message.Message) message.Message {
	return message.New("%s, %v", present.CleanLine(path), place)
}

// Place is where in which document something stands.
type Place struct {
	Path string          // as shown
	At   message.Message // "lines 12-40", "" for the whole document
}

// Message cites the place.
func (p Place) Message() message.Message {
	if p.At == "" {
		return message.Message(present.CleanLine(p.Path))
	}
	return Citation(p.Path, p.At)
}

// MarshalText cites the place in English, which is its form in JSON.
func (p Place) MarshalText() ([]byte, error) { return p.Message().MarshalText() }

// ByWordParts reports a related passage why it was found.
var ByWordParts = message.New("related by word parts, not by the words themselves")

// SameText lists places where a text stands too, and says how many more there
// are; "" when there are none.
func SameText(places []Place, more int) message.Message {
	var all []message.Message
	for _, p := range places {
		all = append(all, p.Message())
	}
	if more > 0 {
		all = append(all, message.New("and %d more", more))
	}
	return message.Join(all...)
}

// InDocument lists places of one document without its path; "" when there are none.
func InDocument(places []Place) message.Message {
	var all []message.Message
	for _, p := range places {
		all = append(all, p.At)
	}
	return message.Join(all...)
}

// documentCount is a number of documents.
func documentCount(n int) message.Message { return message.New("%d documents", n) }

// fileCount is a number of files.
func fileCount(n int) message.Message { return message.New("%d files", n) }

// CountNoun returns a number with its noun in English.
func CountNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ErrorLine returns what an error says in one line.
func ErrorLine(err error) message.Message { return message.OfError(err).Map(present.OneLine) }

// FormatSize is a size as people read it.
func FormatSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
