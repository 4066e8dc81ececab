package mcp

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/operations"
)

// ResultPreview is the answer to a question as a client would get it, for display to people.
type ResultPreview struct {
	Mode       ResultsMode // form in which the client gets passages
	Blocks     []ContentBlock
	Characters int             // size of the content in characters
	Bytes      int             // size of the content in bytes
	Passages   []index.Passage // all passages found, of which the blocks may contain only the first
}

// ContentBlock is a content block of a tool result: a text, or an embedded resource.
type ContentBlock struct {
	Text      string // the text, or the text of the resource
	URI, MIME string // of a resource; "" for text
	Meta      string // metadata of the block as JSON
}

// PreviewResult answers a question as retrieve_docs would for a client with this name.
func (s *Server) PreviewResult(ctx context.Context, clientName string, q index.Query) (ResultPreview, error) {
	if err := q.Check(); err != nil {
		return ResultPreview{}, err
	}
	if err := s.library.WaitFresh(ctx, index.WaitPurposeAnswer); err != nil {
		return ResultPreview{}, err
	}
	answer, err := index.Ask(ctx, s.library, q)
	if err != nil {
		return ResultPreview{}, err
	}
	of := &mcp.Implementation{Name: clientName}
	mode := s.modeFor(of)
	out := ResultPreview{Mode: mode, Passages: answer.Passages}
	for _, c := range mode.render(answer, operations.FormatNotes(operations.AnswerNotes(ctx, s.library, answer, len(q.OtherWordings))), s.contentBudgetFor(of)).Content {
		blob, err := c.MarshalJSON()
		if err != nil {
			return ResultPreview{}, err
		}
		out.Characters += utf8.RuneCount(blob)
		out.Bytes += len(blob)
		out.Blocks = append(out.Blocks, toBlock(c))
	}
	return out, nil
}

func toBlock(c mcp.Content) ContentBlock {
	switch c := c.(type) {
	case *mcp.TextContent:
		return ContentBlock{Text: c.Text}
	case *mcp.EmbeddedResource:
		meta, _ := json.MarshalIndent(c.Resource.Meta, "", "  ") // cannot fail: it was encoded before
		return ContentBlock{Text: c.Resource.Text, URI: c.Resource.URI, MIME: c.Resource.MIMEType, Meta: string(meta)}
	}
	return ContentBlock{}
}
