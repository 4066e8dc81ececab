package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *Server) addTools() {
	s.addTool(retrieveDocs, s.retrieveDocs)
	s.addTool(readDoc, s.readDoc)
	s.addTool(listDocs, s.listDocs)
	s.addTool(indexDocs, s.indexDocs)
}

// addTool registers a handler whose errors reach the model as a result that it
// can read, except those of the protocol.
func (s *Server) addTool(tool *mcp.Tool, handle mcp.ToolHandler) {
	s.sdk.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := handle(ctx, req)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
		}
		return result, nil
	})
}

func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// object is a schema of named parameters; others are refused.
func object(properties map[string]*jsonschema.Schema, order []string, required ...string) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Properties: properties, PropertyOrder: order, Required: required,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func number(description string, least, most int) *jsonschema.Schema {
	n := &jsonschema.Schema{Type: "integer", Description: description, Minimum: ptr(float64(least))}
	if most > 0 {
		n.Maximum = ptr(float64(most))
	}
	return n
}

func texts(description string, most int) *jsonschema.Schema {
	a := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: description}
	if most > 0 {
		a.MaxItems = ptr(most)
	}
	return a
}

func ptr[T any](v T) *T { return &v }

// arguments reads the parameters of a call into a struct. The error says in
// one line what is wrong and what is accepted.
func arguments(req *mcp.CallToolRequest, into any) error {
	raw := bytes.TrimSpace(req.Params.Arguments)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType) && wrongType.Field == "":
		return errors.New("arguments must be an object of named parameters")
	case errors.As(err, &wrongType):
		return fmt.Errorf("%s must be %s, got %s", wrongType.Field, kindName(wrongType.Type.String()), wrongType.Value)
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("unknown parameter %s of %s: see its input schema", field, req.Params.Name)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

func kindName(goType string) string {
	switch strings.TrimPrefix(goType, "*") {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "[]string":
		return "a list of texts"
	}
	return "of another type"
}

// whole is a whole number; models also write it as 3.0 or "3".
type whole struct {
	value int
	set   bool
}

func (w *whole) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	digits := strings.Trim(string(b), `"`)
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return notWhole(b)
	}
	w.value, w.set = int(f), true
	return nil
}

// notWhole is what was sent instead of a whole number.
type notWhole []byte

func (n notWhole) Error() string {
	const most = 40
	got := strings.ToValidUTF8(string(n[:min(len(n), most)]), "")
	return "a number of this tool must be whole, got " + got
}
