package notice

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/message"
	"vademecum/internal/present"
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
	lines := []message.Message{message.New("Indexed %v; %d in total.", "已索引 %v，共 %d 篇。", documentCount(r.Indexed), r.Total)}
	if r.Unchanged > 0 {
		lines = append(lines, message.New("Unchanged: %v.", "未变：%v。", documentCount(r.Unchanged)))
	}
	if r.Removed > 0 {
		lines = append(lines, message.New("Removed: %v.", "已移除：%v。", documentCount(r.Removed)))
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
	out.WriteString(message.New("Not indexed: %v.", "未索引：%v。", fileCount(len(skipped))).In(l) + "\n")
	for _, reason := range reasons {
		paths := byReason[reason]
		more := ""
		if len(paths) > named {
			more = message.New(" and %d more", " 及另外 %d 个", len(paths)-named).In(l)
		}
		fmt.Fprintf(&out, message.New("- %s: %s%s\n", "- %s：%s%s\n").In(l), reason, strings.Join(paths[:min(named, len(paths))], ", "), more)
	}
	return strings.TrimSpace(out.String())
}

// FilesDone says how many of the files are done that are to be read, in words that do
// not let a reader take these for all of the folder.
func FilesDone(done, total int) message.Message {
	return message.New("%d of %d files that are new, changed or to be read again", "%d / %d 个新增、更改或需要重读的文件", done, total)
}

// DocumentsRemoved is how many documents are removed so far of those that have no file any more.
func DocumentsRemoved(done, total int) message.Message {
	return message.New("%d of %d documents whose files are gone", "%d / %d 篇文件已不存在的文档", done, total)
}

// DocumentRemarks says what is missing in the text of a document, and how often it is
// read; every is 0 when that is whenever it changes. It is "" when there is nothing
// to say.
func DocumentRemarks(missing message.Message, every time.Duration) message.Message {
	if every == 0 {
		return missing
	}
	return message.Join(missing, message.New("changes all the time and is read every %s", "不断变化，每 %s读取一次", FormatDuration(every)))
}

// NothingFound says that no passage was found. With soFar there may be documents that
// were not searched.
func NothingFound(soFar bool) message.Message {
	return message.New("Nothing in %v matches.", "%v中没有找到。", searchedMessage(soFar))
}

// NothingFoundIn says that no passage was found in the only document that was searched.
func NothingFoundIn(path string) message.Message {
	return message.New("Nothing in %s matches.", "%s 中没有找到。", present.QuoteName(path))
}

// PlacesFound says how many places of a text there are, in how many documents.
func PlacesFound(n, in int) message.Message {
	if n == 1 {
		return message.New("%d place in %v.", "%[2]v中共有 %[1]d 处。", n, documentCount(in))
	}
	return message.New("%d places in %v.", "%[2]v中共有 %[1]d 处。", n, documentCount(in))
}

// Away says that a question, or whatever else was asked, cannot be answered now.
var Away = message.New("the database cannot be reached now: ask the same again in a moment", "现在连不上数据库，请稍后再试")

// LeavesOut says that a quotation is made of pieces.
var LeavesOut = message.New("what it leaves out may change what it says", "略去的内容可能改变原意")

// Apart says that the parts of a quotation do not follow one another in a document.
var Apart = message.New("its parts stand apart, or in another order", "各部分不在一处，或顺序不同")

// UnquotedBefore says what stands before a quotation and was not quoted with it.
func UnquotedBefore(word string) message.Message {
	return message.New("it stands after “%s”", "其前有“%s”", word)
}

// NotFromDocument says that a quotation is not from the document that it is said to be from.
func NotFromDocument(path string) message.Message {
	return message.New("it does not stand in %s", "%s 中没有这段话", present.QuoteName(path))
}

// ChangeNotTaken says that a change is not taken now.
func ChangeNotTaken(why message.Message) message.Message {
	return message.New("the database takes no changes now (%v): what has changed in the folder is indexed by itself when it does", "数据库现在不接受更改（%v）：恢复后会自动索引文件夹中的更改", why)
}

func searchedMessage(soFar bool) message.Message {
	if soFar {
		return message.New("what is indexed so far", "目前已索引的内容")
	}
	return message.New("the documents", "文档")
}

// Citation says where a passage stands, such as "notes/a.md, lines 12-40".
func Citation(path string, place message.Message) message.Message {
	return message.New("%s, %v", "%s，%v", present.CleanLine(path), place)
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

// ByWordParts tells of a related passage why it was found.
var ByWordParts = message.New("related by word parts, not by the words themselves", "仅词的一部分相关，而非词语本身")

// SameText lists places where a text stands too, and says how many more there
// are; "" when there are none.
func SameText(places []Place, more int) message.Message {
	var all []message.Message
	for _, p := range places {
		all = append(all, p.Message())
	}
	if more > 0 {
		all = append(all, message.New("and %d more", "还有 %d 处", more))
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
func documentCount(n int) message.Message {
	if n == 1 {
		return message.New("%d document", "%d 篇文档", n)
	}
	return message.New("%d documents", "%d 篇文档", n)
}

// fileCount is a number of files.
func fileCount(n int) message.Message {
	if n == 1 {
		return message.New("%d file", "%d 个文件", n)
	}
	return message.New("%d files", "%d 个文件", n)
}

// CountNoun returns a number with its noun in English.
func CountNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Count returns a number with its noun, that in Chinese with its measure word, such as " 个文件".
func Count(n int, noun, chinese string) message.Message {
	return message.New(CountNoun(n, noun), fmt.Sprintf("%d%s", n, chinese))
}

// ErrorLine returns what an error says in one line.
func ErrorLine(err error) message.Message { return message.OfError(err).Transform(present.OneLine) }

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

// asSentence has a line begin as a sentence does.
func asSentence(line message.Message) message.Message {
	first, size := utf8.DecodeRuneInString(string(line))
	return message.Message(string(unicode.ToUpper(first))) + line[size:]
}
