package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func listDocs() Operation {
	var in listArguments
	return Operation{
		Name:             "list_docs",
		Title:            "List the documents",
		Description:      "Lists the user's documents with title, size, modification time, date and tags, and files that are not indexed, with the reason; or all tags; or broken links. Long lists come in pages.",
		ExampleArguments: `{"path": "notes"}`,
		Parameters: append(filterParameters(&in.filter, true),
			Parameter{Name: "tag_counts", Target: &in.tagCounts, Description: "List tags instead, with their document counts.", Aliases: []string{"counttags", "listtags"}},
			Parameter{Name: "broken_links", Target: &in.brokenLinks, Description: "List broken links instead."},
			cursorParameter("The cursor at the end of the previous page.", &in.cursor)),
		Check: func() error {
			if in.tagCounts && in.brokenLinks {
				return errors.New("give tag_counts or broken_links, not both")
			}
			return nil
		},
		Run: in.run,
	}
}

// listArguments are the arguments of list_docs.
type listArguments struct {
	filter                 index.Filter
	tagCounts, brokenLinks bool
	cursor                 string
}

func (in *listArguments) run(ctx context.Context, c CallEnvironment) (Result, error) {
	pages := documentPages
	switch {
	case in.tagCounts:
		pages = tagPages
	case in.brokenLinks:
		pages = brokenLinkPages
	}
	l, err := pages(ctx, c.Library, in.filter, in.cursor)
	if err != nil {
		return Result{}, err
	}
	// tags are not sorted by name, so a missing one has no position
	if in.cursor != "" && !l.goesOn && (in.tagCounts || !c.Cursors.has(in.cursor)) {
		return Result{}, fmt.Errorf("cursor %s was not given by list_docs, or what it points to is gone: leave it out to start from the beginning", quoteName(in.cursor))
	}
	notes := c.Library.FreshnessNotes()
	if l.isEmpty() || in.filter.Path != "" {
		why, err := c.Library.ExplainNoMatch(ctx, in.filter)
		if err != nil {
			return Result{}, err
		}
		notes = append(notes, slices.DeleteFunc(why, func(n notice.Note) bool {
			// the list is not empty, so nothing needs an explanation
			return !l.isEmpty() && n.Kind != notice.PathMatchedDeeper
		})...)
	}
	lines := notice.EnglishLines(notes)
	shown, next := l.nextPage(c.Budget.Subtract(TextSize(FormatNotes(lines))))
	c.Cursors.remember(next)
	return Result{Text: WithNotes(shown, lines)}, nil
}

// RecentCursors holds the cursors that list_docs returned last. A cursor names a document, which may be
// gone when the client continues; these are still accepted.
type RecentCursors struct {
	mu      sync.Mutex
	cursors []string
}

// mostGiven is the maximum number of remembered cursors.
const mostGiven = 100

// remember adds a cursor. It ignores "", and cursors that name a text sent by a client: such a text
// exists as long as its session, and must not be revealed to others.
func (g *RecentCursors) remember(cursor string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if cursor == "" || strings.HasPrefix(cursor, index.ClientTextURIPrefix) || slices.Contains(g.cursors, cursor) {
		return
	}
	if g.cursors = append(g.cursors, cursor); len(g.cursors) > mostGiven {
		g.cursors = slices.Delete(g.cursors, 0, 1)
	}
}

func (g *RecentCursors) has(cursor string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Contains(g.cursors, cursor)
}

// pagedList is a list that is shown page by page.
type pagedList struct {
	length, start int                         // number of items; first item of the page
	goesOn        bool                        // the list contains the item that the cursor names
	head          func(start, end int) string // header of a page
	line, name    func(i int) string          // line of an item, and its name for a cursor
	end           string                      // text after the last item
}

func (l pagedList) isEmpty() bool { return l.length == 0 && l.end == "" }

func documentPages(ctx context.Context, library Library, only index.Filter, cursor string) (pagedList, error) {
	found, err := library.List(ctx, only)
	var all []index.Document // indexed documents
	var skipped []notice.SkippedFile
	for _, d := range found {
		if d.SkipReason == "" {
			all = append(all, d)
		} else {
			skipped = append(skipped, notice.SkippedFile{Path: d.Path, Reason: d.SkipReason})
		}
	}
	start, goesOn := indexAfter(all, cursor)
	return pagedList{
		length: len(all), start: start, goesOn: goesOn,
		head: func(start, end int) string {
			return notice.CountNoun(len(all), "document") + rangeOfTotal(start, end, len(all)) + "\n"
		},
		line: func(i int) string { return listLine(all[i]) },
		name: func(i int) string { return all[i].Path },
		end:  skippedFiles(skipped),
	}, err
}

// longestSkipped is the maximum size of the list of files that are not indexed, in bytes.
const longestSkipped = 4000

// skippedFiles returns a list of the files that are not indexed, grouped by reason: otherwise programs and
// pictures would fill most lists.
func skippedFiles(skipped []notice.SkippedFile) string {
	if len(skipped) == 0 {
		return ""
	}
	lines := strings.SplitAfter(notice.SkippedList(skipped, message.English), "\n")
	length := 0
	for i, line := range lines {
		if length += len(line); length > longestSkipped {
			return strings.Join(lines[:i], "") + fmt.Sprintf("- and for %s\n", notice.CountNoun(len(lines)-i, "other reason"))
		}
	}
	return strings.Join(lines, "")
}

// tagPages lists the tags, most frequent first.
func tagPages(ctx context.Context, library Library, only index.Filter, cursor string) (pagedList, error) {
	all, err := library.Tags(ctx, only)
	start := 1 + slices.IndexFunc(all, func(c index.TagCount) bool { return "#"+c.Tag == cursor })
	return pagedList{
		length: len(all), start: start, goesOn: start > 0,
		head: func(start, end int) string {
			return notice.CountNoun(len(all), "tag") + rangeOfTotal(start, end, len(all)) + "\n"
		},
		line: func(i int) string { return fmt.Sprintf("- #%s: %d\n", present.CleanLine(all[i].Tag), all[i].Documents) },
		name: func(i int) string { return "#" + all[i].Tag },
	}, err
}

// brokenLinkPages lists the documents with broken links.
func brokenLinkPages(ctx context.Context, library Library, only index.Filter, cursor string) (pagedList, error) {
	all, err := library.BrokenLinks(ctx, only)
	broken := 0
	for _, d := range all {
		broken += len(d.BrokenNames)
	}
	start, isThere := slices.BinarySearchFunc(all, cursor, func(d index.Links, path string) int { return strings.Compare(d.Path, path) })
	if isThere {
		start++
	}
	return pagedList{
		length: len(all), start: start, goesOn: true, // the link may have been repaired since
		head: func(start, end int) string {
			return notice.CountNoun(broken, "broken link") + " in " + notice.CountNoun(len(all), "document") + rangeOfTotal(start, end, len(all)) + "\n"
		},
		line: func(i int) string {
			return "- " + present.CleanLine(all[i].Path) + ": " + nameBrokenLinks(all[i].BrokenNames) + "\n"
		},
		name: func(i int) string { return all[i].Path },
	}, err
}

// mostBroken is the maximum number of broken links listed per document.
const mostBroken = 200

// nameBrokenLinks lists the first broken links of a document.
func nameBrokenLinks(all []string) string {
	names := make([]string, min(len(all), mostBroken))
	for i := range names {
		names[i] = "[[" + present.CleanLine(all[i]) + "]]"
	}
	if more := len(all) - mostBroken; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// indexAfter returns where a page begins: after the cursor, which is the path of the last item
// shown, even if that document is gone. found reports whether it still exists. The client may have
// changed its Unicode normalisation.
func indexAfter(all []index.Document, cursor string) (start int, found bool) {
	start, found = slices.BinarySearchFunc(all, cursor, func(d index.Document, path string) int { return strings.Compare(d.Path, path) })
	if !found {
		alike := func(d index.Document) bool { return norm.NFC.String(d.Path) == norm.NFC.String(cursor) }
		if at := slices.IndexFunc(all, alike); cursor != "" && at >= 0 {
			return at + 1, true
		}
		return start, false
	}
	return start + 1, true
}

// MaxListItems is the maximum number of items on a page of list_docs.
const MaxListItems = 100

// nextPage shows as many items from start on as fit, and returns the cursor of the next page; "" if
// there is none.
func (l pagedList) nextPage(left index.Budget) (shown, next string) {
	var lines strings.Builder
	end := l.start
	left = left.Subtract(TextSize(l.head(l.length, l.length))).Subtract(TextSize(l.end))
	for ; end < min(l.start+MaxListItems, l.length); end++ {
		line := l.line(end)
		size := TextSize(line)
		if end > l.start && !left.HasRoomFor(size.Add(TextSize(continueHint(l.name(end))))) {
			break
		}
		left = left.Subtract(size)
		lines.WriteString(line)
	}
	if l.start < end && end < l.length {
		next = l.name(end - 1)
		lines.WriteString(continueHint(next))
	} else {
		lines.WriteString(l.end)
	}
	return strings.TrimSpace(l.head(l.start, end) + lines.String()), next
}

// rangeOfTotal states which items are on the page, unless it is all or none.
func rangeOfTotal(start, end, all int) string {
	if shown := end - start; shown <= 0 || shown == all {
		return ""
	}
	return fmt.Sprintf("; %d to %d:", start+1, end)
}

// continueHint tells the model how to continue after an item.
func continueHint(last string) string {
	return fmt.Sprintf("More: call list_docs with cursor %q\n", last)
}

func listLine(d index.Document) string {
	remarks := ""
	if d.Encoding != "" {
		remarks += ", " + d.Encoding
	}
	if d.IsEncodingGuessed {
		remarks += ", guessed"
	}
	if tagged := notice.DateAndTags(d.Date.String(), d.Tags); tagged != "" {
		remarks += "; " + tagged
	}
	if more := notice.DocumentRemarks(d.ExtractionNote, d.ReadInterval).String(); more != "" {
		remarks += "; " + present.CleanLine(more)
	}
	return fmt.Sprintf("- %s — %s (%s, %s%s)\n", present.CleanLine(d.Path), present.CleanLine(d.Title), notice.FormatSize(d.Size), d.Modified.Format("2006-01-02 15:04"), remarks)
}
