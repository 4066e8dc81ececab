package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

var readDoc = &mcp.Tool{
	Name:  "read_doc",
	Title: "Read a document",
	Description: "Shows the text of a document, or some of its lines. Give a path as list_docs and retrieve_docs show it, " +
		"or a passage's uri to read exactly that passage; a uri that ends with #page=3 reads that page, and so #slide, #sheet, #chapter. Long documents are shown in parts.",
	InputSchema: object(map[string]*jsonschema.Schema{
		"path":       text("Path of the document, such as `notes/asthma.md`."),
		"uri":        text("URI of a document or passage, instead of path."),
		"start_line": number("First line to show, counted from 1.", 1, 0),
		"end_line":   number("Last line to show.", 1, 0),
	}, []string{"path", "uri", "start_line", "end_line"}),
	Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: ptr(false)},
}

func (s *Server) readDoc(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Path      string `json:"path"`
		URI       string `json:"uri"`
		StartLine whole  `json:"start_line"`
		EndLine   whole  `json:"end_line"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	ref := in.Path
	switch {
	case in.Path == "" && in.URI == "":
		return nil, errors.New("path is missing: give a path as list_docs shows it, or a uri")
	case in.Path != "" && in.URI != "":
		return nil, errors.New("give path or uri, not both")
	case in.URI != "":
		ref = in.URI
	}
	if in.StartLine.set && in.StartLine.value < 1 || in.EndLine.set && in.EndLine.value < max(1, in.StartLine.value) {
		return nil, errors.New("start_line and end_line count from 1, and end_line is not before start_line")
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	part, err := s.read(ctx, ref, in.StartLine, in.EndLine)
	if errors.Is(err, index.ErrNotFound) {
		notes := append([]string{err.Error() + ": list_docs shows what there is"}, s.ix.Freshness()...)
		return nil, errors.New(strings.Join(notes, ". "))
	}
	if err != nil {
		return nil, err
	}
	return textResult(showPart(part)), nil
}

func (s *Server) read(ctx context.Context, ref string, start, end whole) (index.Part, error) {
	if !start.set && !end.set {
		return s.ix.Read(ctx, ref, textBudget)
	}
	return s.ix.ReadLines(ctx, ref, max(1, start.value), end.value, textBudget)
}

// showPart is the text under a line that says what it is.
func showPart(p index.Part) string {
	more := ""
	if p.Rest != "" {
		more = fmt.Sprintf("\n\n(cut here to keep the answer short: read on with uri %s)", p.Rest)
	}
	if p.Note != "" {
		more += "\n\nNote: " + p.Note
	}
	return fmt.Sprintf("%s\n\n%s%s", oneLine(p.Path+", "+p.Place), p.Text, more)
}
