package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/text/unicode/norm"

	"vademecum/index"
	"vademecum/index/say"
	"vademecum/index/upkeep"
	"vademecum/internal/present"
)

var listDocs = &mcp.Tool{
	Name:        "list_docs",
	Title:       "List the documents",
	Description: "Lists the user's documents with title, size and time of the last change, and the files that are not indexed with the reason. Long lists come in pages. To find something in them use retrieve_docs.",
	InputSchema: object(map[string]*jsonschema.Schema{
		"path":   text("Only documents that this glob means, such as `cardio/**`, `*.md` or a folder's name."),
		"cursor": text("Where to go on: the cursor that the page before ended with."),
	}, []string{"path", "cursor"}),
	Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: ptr(false)},
}

func (s *Server) listDocs(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Path   string `json:"path"`
		Cursor string `json:"cursor"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	if err := s.library.Settle(ctx, upkeep.ForAnswer); err != nil {
		return nil, err
	}
	all, err := s.library.List(ctx, in.Path)
	if err != nil {
		return nil, err
	}
	start := after(all, in.Cursor)
	notes := s.library.Freshness()
	if len(all) == 0 && in.Path != "" {
		notes = append(notes, say.Note{Kind: say.NoPath, Path: in.Path, SoFar: say.MayMiss(notes)})
	}
	lines := say.Lines(notes)
	return textResult(withNotes(listPage(all, start, newRoom().Without(textSize(noteText(lines)))), lines)), nil
}

// after is where a page begins: after the cursor, the last path shown, wherever
// that is by now. A client may have composed its characters otherwise.
func after(all []index.Document, cursor string) int {
	start, found := slices.BinarySearchFunc(all, cursor, func(d index.Document, path string) int { return strings.Compare(d.Path, path) })
	if !found {
		alike := func(d index.Document) bool { return norm.NFC.String(d.Path) == norm.NFC.String(cursor) }
		if at := slices.IndexFunc(all, alike); cursor != "" && at >= 0 {
			return at + 1
		}
		return start
	}
	return start + 1
}

// listLength is how many documents a page of the list shows at most.
const listLength = 100

// listPage shows the documents from start on, as many as there is room for.
func listPage(all []index.Document, start int, left index.Room) string {
	var lines strings.Builder
	end := start
	left = left.Without(textSize(listHead(all, len(all), len(all))))
	for ; end < min(start+listLength, len(all)); end++ {
		line := listLine(all[end])
		size := textSize(line)
		if end > start && !left.Holds(size.Plus(textSize(listMore(all[end])))) {
			break
		}
		left = left.Without(size)
		lines.WriteString(line)
	}
	if start < end && end < len(all) {
		lines.WriteString(listMore(all[end-1]))
	}
	return strings.TrimSpace(listHead(all, start, end) + lines.String())
}

// listHead counts the documents, and says which of them follow.
func listHead(all []index.Document, start, end int) string {
	skipped := 0
	for _, d := range all {
		if d.Skip != "" {
			skipped++
		}
	}
	head := say.Count(len(all)-skipped, "document")
	if skipped > 0 {
		head += fmt.Sprintf(", %s not indexed", say.Count(skipped, "file"))
	}
	if shown := end - start; 0 < shown && shown < len(all) {
		head += fmt.Sprintf("; %d to %d:", start+1, end)
	}
	return head + "\n"
}

// listMore says how to go on behind a document.
func listMore(last index.Document) string {
	return fmt.Sprintf("More: call list_docs with cursor %q\n", last.Path)
}

func listLine(d index.Document) string {
	if d.Skip != "" {
		return fmt.Sprintf("- %s (not indexed: %s)\n", present.Line(d.Path), present.Line(d.Skip))
	}
	remarks := ""
	if d.Encoding != "" {
		remarks += ", " + d.Encoding
	}
	if d.Guessed {
		remarks += ", guessed"
	}
	if more := say.Remarks(d.Note, d.Every); more != "" {
		remarks += "; " + present.Line(more)
	}
	return fmt.Sprintf("- %s — %s (%s, %s%s)\n", present.Line(d.Path), present.Line(d.Title), fileSize(d.Size), d.Modified.Format("2006-01-02 15:04"), remarks)
}

// fileSize is a size as people read it.
func fileSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
