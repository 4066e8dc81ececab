package mcp

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/operations"
)

// Preview is the answer to a question as a client would get it, for display to people.
type Preview struct {
	Mode       ResultsMode // form in which the client gets passages
	Blocks     []Block
	Characters int             // size of the content in characters
	Bytes      int             // size of the content in bytes
	Passages   []index.Passage // all passages found, of which the blocks may contain only the first
}

// Block is a content block of a tool result: a text, or an embedded resource.
type Block struct {
	Text      string // the text, or the text of the resource
	URI, MIME string // of a resource; "" for text
	Meta      string // metadata of the block as JSON
}

// Preview answers a question as retrieve_docs would for a client with this name.
func (s *Server) Preview(ctx context.Context, client string, q index.Query) (Preview, error) {
	if err := q.Check(); err != nil {
		return Preview{}, err
	}
	if err := s.library.WaitFresh(ctx, index.ForAnswer); err != nil {
		return Preview{}, err
	}
	answer, err := index.Ask(ctx, s.library, q)
	if err != nil {
		return Preview{}, err
	}
	of := &mcp.Implementation{Name: client}
	mode := s.modeFor(of)
	out := Preview{Mode: mode, Passages: answer.Passages}
	for _, c := range mode.render(answer, operations.NoteText(operations.AnswerNotes(answer, len(q.OtherWordings))), s.contentBudgetFor(of)).Content {
		blob, err := c.MarshalJSON()
		if err != nil {
			return Preview{}, err
		}
		out.Characters += utf8.RuneCount(blob)
		out.Bytes += len(blob)
		out.Blocks = append(out.Blocks, toBlock(c))
	}
	return out, nil
}

func toBlock(c mcp.Content) Block {
	switch c := c.(type) {
	case *mcp.TextContent:
		return Block{Text: c.Text}
	case *mcp.EmbeddedResource:
		meta, _ := json.MarshalIndent(c.Resource.Meta, "", "  ") // cannot fail: it was encoded before
		return Block{Text: c.Resource.Text, URI: c.Resource.URI, MIME: c.Resource.MIMEType, Meta: string(meta)}
	}
	return Block{}
}
