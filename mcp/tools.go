package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/internal/base/message"
)

// MayWrite reports whether the tool with this name may do more than read.
func MayWrite(toolName string) bool {
	o, _ := operations.OperationByName(toolName)
	return o.ChangesIndex
}

// addTool registers an operation as a tool. Errors are returned to the model as readable results,
// except protocol errors.
func (s *Server) addTool(newOperation func() operations.Operation) {
	s.sdk.AddTool(toolOf(newOperation()), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := s.run(ctx, req, newOperation())
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return errorResult(s.hideInternals(err)), nil
		}
		return result, nil
	})
}

// toolOf returns the description of an operation for hosts.
func toolOf(o operations.Operation) *mcp.Tool {
	t := &mcp.Tool{
		Name: o.Name, Title: o.Title, Description: o.Description, InputSchema: objectSchema(o.Parameters),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !o.ChangesIndex, IdempotentHint: true, OpenWorldHint: ptr(false)},
	}
	if o.ChangesIndex {
		t.Annotations.DestructiveHint = ptr(false)
	}
	if o.SearchHint != "" {
		t.Meta = mcp.Meta{"anthropic/searchHint": o.SearchHint, "anthropic/maxResultSizeChars": announcedLimit}
	}
	if o.IsAlwaysLoaded {
		t.Meta["anthropic/alwaysLoad"] = true
	}
	if o.OutputFields != nil {
		t.OutputSchema = objectSchema(o.OutputFields)
	}
	return t
}

// run runs an operation for a call.
func (s *Server) run(ctx context.Context, req *mcp.CallToolRequest, o operations.Operation) (*mcp.CallToolResult, error) {
	note, err := o.Parse(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	library := loggedLibrary{s.libraryFor(ctx, req.Session)}
	call := operations.CallEnvironment{
		Library: library, Budget: s.contentBudgetFor(req.ClientInfo()), Cursors: &s.given, WebPageURL: s.urlOf,
		Update: func(ctx context.Context, u operations.UpdateRequest) (string, error) { return s.update(ctx, req, u) },
	}
	if s.canShowApp(req) {
		call.Renderer = s.app.Renderer
	}
	if !o.ChangesIndex { // an update waits by itself for what it needs
		if err := library.WaitFresh(ctx, index.WaitPurposeAnswer); err != nil {
			return nil, err
		}
	}
	result, err := o.Run(ctx, call)
	switch {
	case err != nil:
		return nil, err
	case result.StructuredContent != nil:
		return objectResult(result.StructuredContent)
	}
	r := textResult(result.Text)
	if result.Answer != nil {
		r = s.modeFor(req.ClientInfo()).render(*result.Answer, result.Text, call.Budget)
	}
	if result.JPEG != nil {
		r.Content = append(r.Content, &mcp.ImageContent{Data: result.JPEG, MIMEType: "image/jpeg"})
	}
	if note != "" {
		addNote(r, note)
	}
	if result.View != nil {
		r.Meta = mcp.Meta{viewKey: result.View}
	}
	return r, nil
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

// urlOf returns the URL of the web page that shows a passage or document to people; "" if there is
// none.
func (s *Server) urlOf(path, uri, text string) string {
	if s.page == nil || !strings.HasPrefix(uri, "file:") { // a text from a client has no page
		return ""
	}
	_, fragment, _ := strings.Cut(uri, "#")
	return s.page(path, fragment, text)
}

// hideInternals returns an error for hosts, without internals such as those of the database, which
// their users do not run.
func (s *Server) hideInternals(err error) error {
	switch refused := s.library.State().WriteRefusal; {
	case errors.Is(err, index.ErrDatabaseUnreachable):
		return message.NewError(notice.DatabaseUnreachableNow)
	case errors.Is(err, index.ErrDatabaseReadOnly) && refused != "":
		return message.NewError(notice.DatabaseReadOnlyMessage(refused))
	}
	return err
}

// errorResult returns a tool result that describes an error.
func errorResult(err error) *mcp.CallToolResult {
	r := textResult(err.Error())
	r.IsError = true
	return r
}

// textResult returns a tool result of one text block. A text that does not fit is cut here, as a
// host would cut it at a worse place.
func textResult(text string) *mcp.CallToolResult {
	if !contentBudget().HasRoomFor(operations.TextSize(text)) {
		text = text[:contentBudget().Subtract(operations.TextSize(cutHere)).FittingBytes(text)] + cutHere
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

const cutHere = "\n(cut here to keep the answer short)"

// objectResult returns a tool result with an object as JSON in its only block, and as structured
// content.
func objectResult(object any) (*mcp.CallToolResult, error) {
	text, err := operations.EncodeObject(object)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: object}, nil
}

// objectSchema returns the JSON schema of an object with these parameters and no others.
func objectSchema(parameters []operations.Parameter) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: make(map[string]*jsonschema.Schema), AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range parameters {
		s.Properties[p.Name] = schemaOf(p)
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
		if p.IsRequired {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

// schemaOf returns the JSON schema of a parameter.
func schemaOf(p operations.Parameter) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string", Description: p.Description}
	for _, v := range p.AllowedValues {
		s.Enum = append(s.Enum, v)
	}
	switch p.Target.(type) {
	case *bool:
		s.Type = "boolean"
	case *int, *operations.LenientInt:
		s.Type, s.Minimum = "integer", ptr(float64(p.Min))
		if p.Max > 0 {
			s.Maximum = ptr(float64(p.Max))
		}
	case *map[string]string:
		s.Type, s.AdditionalProperties = "object", &jsonschema.Schema{Type: "string"}
	}
	if !p.IsList() {
		return s
	}
	s.Type, s.Items = "array", &jsonschema.Schema{Type: "string"}
	if p.ItemFields != nil {
		s.Items = objectSchema(p.ItemFields)
	}
	if p.Max > 0 {
		s.MaxItems = ptr(p.Max)
	}
	return s
}

func ptr[T any](v T) *T { return &v }
