package say

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/present"
)

// Report is what a run over the files did.
type Report struct {
	Indexed   int // documents that were new or changed
	Unchanged int
	Removed   int
	Skipped   []Skip // files in the scope that are not indexed
	Total     int    // documents searchable now
}

// Skip is a file that is not indexed.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// String returns what a run did in words, in a few lines.
func (r Report) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Indexed %s; %d in total.\n", Count(r.Indexed, "document"), r.Total)
	if r.Unchanged > 0 {
		fmt.Fprintf(&out, "Unchanged: %s.\n", Count(r.Unchanged, "document"))
	}
	if r.Removed > 0 {
		fmt.Fprintf(&out, "Removed: %s.\n", Count(r.Removed, "document"))
	}
	if len(r.Skipped) > 0 {
		out.WriteString(Skipped(r.Skipped))
	}
	return strings.TrimSpace(out.String())
}

// Skipped returns the files that are not indexed in words, by reason.
func Skipped(skipped []Skip) string {
	const named = 5 // files of each reason
	byReason := make(map[string][]string)
	var reasons []string
	for _, s := range skipped {
		reason := present.Line(s.Reason)
		if byReason[reason] == nil {
			reasons = append(reasons, reason)
		}
		byReason[reason] = append(byReason[reason], present.Line(s.Path))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Not indexed: %s.\n", Count(len(skipped), "file"))
	for _, reason := range reasons {
		paths := byReason[reason]
		more := ""
		if len(paths) > named {
			more = fmt.Sprintf(" and %d more", len(paths)-named)
		}
		fmt.Fprintf(&out, "- %s: %s%s\n", reason, strings.Join(paths[:min(named, len(paths))], ", "), more)
	}
	return strings.TrimSpace(out.String())
}

// Files says how many of the files are done that are to be read, in words that do
// not let a reader take these for all of the folder.
func Files(done, total int) string {
	return fmt.Sprintf("%d of %d files that are new, changed or to be read again", done, total)
}

// Removed is how many documents are removed so far of those that have no file any more.
func Removed(done, total int) string {
	return fmt.Sprintf("%d of %d documents whose files are gone", done, total)
}

// Remarks says what is missing in the text of a document, and how often it is
// read; every is 0 when that is whenever it changes. It is "" when there is nothing
// to say.
func Remarks(missing string, every time.Duration) string {
	if every == 0 {
		return missing
	}
	return strings.TrimPrefix(fmt.Sprintf("%s; changes all the time and is read every %s", missing, every), "; ")
}

// Nothing says that no passage was found. With soFar there may be documents that
// were not searched.
func Nothing(soFar bool) string { return "Nothing in " + searched(soFar) + " matches." }

// Away says that a question, or whatever else was asked, cannot be answered now.
const Away = "the database cannot be reached now: ask the same again in a moment"

// Kept says that a change is not taken now.
func Kept(why string) string {
	return "the database takes no changes now (" + why + "): what has changed in the folder is indexed by itself when it does"
}

func searched(soFar bool) string {
	if soFar {
		return "what is indexed so far"
	}
	return "the documents"
}

// Citation says where a passage stands, such as "notes/a.md, lines 12-40".
func Citation(path, place string) string { return present.Line(path + ", " + place) }

// ByWordParts tells of a related passage why it was found.
const ByWordParts = "related by word parts, not by the words themselves"

// SameText lists places where a text stands too, and says how many more there
// are; "" when there are none.
func SameText(places []string, more int) string {
	all := strings.Join(places, "; ")
	if more > 0 {
		all += fmt.Sprintf("; and %d more", more)
	}
	return strings.TrimPrefix(all, "; ")
}

// Count returns a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Size is a size as people read it.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// sentence has a line begin as a sentence does.
func sentence(line string) string {
	first, size := utf8.DecodeRuneInString(line)
	return string(unicode.ToUpper(first)) + line[size:]
}
