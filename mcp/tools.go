package mcp

import (
	"context"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
)

// tools lists all tools. Only these names are logged. Callers who may only read may call only the
// tools annotated as read-only.
var tools = []tool{
	{Tool: retrieveDocs, handle: (*Server).retrieveDocs},
	{Tool: findInDocs, handle: (*Server).findInDocs},
	{Tool: checkQuotes, handle: (*Server).checkQuotes},
	{Tool: readDoc, handle: (*Server).readDoc},
	{Tool: listDocs, handle: (*Server).listDocs},
	{Tool: indexDocs, handle: (*Server).indexDocs},
	{Tool: search, handle: (*Server).search, isForChatGPT: true},
	{Tool: fetch, handle: (*Server).fetch, isForChatGPT: true},
}

type tool struct {
	*mcp.Tool
	handle       func(*Server, context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)
	isForChatGPT bool // hidden from other clients; its results are JSON
}

func (s *Server) addTools() {
	for _, t := range tools {
		s.addTool(t)
	}
}

// toolNamed returns the tool with a name; nil if there is none.
func toolNamed(name string) *tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}

// MayWrite reports whether the tool with a name may do more than read.
func MayWrite(name string) bool {
	t := toolNamed(name)
	return t != nil && (t.Annotations == nil || !t.Annotations.ReadOnlyHint)
}

// addTool registers a handler. Its errors are returned to the model as readable results, except
// protocol errors. It receives only known parameters.
func (s *Server) addTool(t tool) {
	s.sdk.AddTool(t.Tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		note, err := dropUnknownParameters(t.Tool, req)
		if err != nil {
			return errorResult(err), nil
		}
		result, err := t.handle(s, ctx, req)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return errorResult(s.hideInternals(err)), nil
		}
		if note != "" && !t.isForChatGPT {
			addNote(result, note)
		}
		return result, nil
	})
}

// addNote appends a note to a result.
func addNote(r *mcp.CallToolResult, note string) {
	note = "Note: " + note
	if last, ok := r.Content[len(r.Content)-1].(*mcp.TextContent); ok {
		last.Text += "\n" + note
		return
	}
	r.Content = append(r.Content, textBlock(note))
}

// hideInternals returns an error without internals for hosts, whose users do not run the database.
func (s *Server) hideInternals(err error) error {
	switch refused := s.library.State().Refused; {
	case errors.Is(err, index.ErrUnreachable):
		return message.NewError(notice.CannotAnswerNow)
	case errors.Is(err, index.ErrReadOnly) && refused != "":
		return message.NewError(notice.ChangeRejected(refused))
	}
	return err
}

// errorResult returns a result that describes an error.
func errorResult(err error) *mcp.CallToolResult {
	r := textResult(err.Error())
	r.IsError = true
	return r
}

// textResult returns a result with one block. Text that does not fit is cut, as a host would cut it
// elsewhere.
func textResult(text string) *mcp.CallToolResult {
	if !contentBudget().HasRoomFor(textSize(text)) {
		text = text[:contentBudget().Subtract(textSize(cutHere)).FittingBytes(text)] + cutHere
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

const cutHere = "\n(cut here to keep the answer short)"

// objectSchema returns a schema of named parameters that allows no others.
func objectSchema(properties map[string]*jsonschema.Schema, order []string, required ...string) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Properties: properties, PropertyOrder: order, Required: required,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

func textSchema(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func numberSchema(description string, least, most int) *jsonschema.Schema {
	n := &jsonschema.Schema{Type: "integer", Description: description, Minimum: ptr(float64(least))}
	if most > 0 {
		n.Maximum = ptr(float64(most))
	}
	return n
}

func textsSchema(description string, most int) *jsonschema.Schema {
	a := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: description}
	if most > 0 {
		a.MaxItems = ptr(most)
	}
	return a
}

func ptr[T any](v T) *T { return &v }
