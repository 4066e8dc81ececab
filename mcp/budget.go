package mcp

import (
	"cmp"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

// resultBudget is the maximum size of a result. Hosts truncate longer results or save them to a
// file: Qwen Code 0.15 from 25,000 characters, Codex 0.169 from 10,000 tokens of four bytes, Gemini
// CLI 0.61 from 40,000 characters, Claude Code 2.1 from 50,000 characters.
var resultBudget = index.Budget{Characters: 24_000, Bytes: 38_000}

// announcedLimit is the maximum size of a result, in characters, that tools announce to hosts that
// support this. It is well above the actual maximum.
const announcedLimit = 50_000

// envelope is the size reserved for the JSON around the content of a result, and for the note on
// unknown parameters.
var envelope = index.Budget{Characters: 800, Bytes: 1600}

// contentBudget returns the maximum size of the content of a result.
func contentBudget() index.Budget { return resultBudget.Subtract(envelope) }

// contentBudgetFor returns the maximum size of the content of a result for a client, which may
// truncate results earlier than most.
func (s *Server) contentBudgetFor(client *mcp.Implementation) index.Budget {
	most := contentBudget()
	if client != nil {
		characters, bytes := s.limits(client.Name)
		most = index.Budget{Characters: min(most.Characters, cmp.Or(characters, most.Characters)), Bytes: min(most.Bytes, cmp.Or(bytes, most.Bytes))}
	}
	return most
}

// sizeOfContent returns the size of content blocks.
func sizeOfContent(content ...mcp.Content) index.Budget {
	var s index.Budget
	for _, c := range content {
		blob, err := c.MarshalJSON()
		if err != nil { // it cannot be sent, so it takes no space
			return resultBudget.Subtract(index.Budget{Characters: -1, Bytes: -1})
		}
		s.Characters += utf8.RuneCount(blob) + 1 // for the comma
		s.Bytes += len(blob) + 1
	}
	return s
}
