package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrompt registers the prompt. It has a single argument, as Claude Code (2.1) splits the typed
// text at spaces, assigns one word to each argument and drops the rest.
func (s *Server) addPrompt() {
	s.sdk.AddPrompt(&mcp.Prompt{
		Name:        "answer_from_docs",
		Title:       "Answer from my documents",
		Description: "Answers a question only from the documents, citing file and lines of each source.",
		Arguments:   []*mcp.PromptArgument{{Name: "question", Title: "Question", Description: "What to answer."}},
	}, answerFromDocs)
}

func answerFromDocs(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := `Answer my question from my documents.

1. Call retrieve_docs with the whole question, and in ` + "`also`" + ` two or three other wordings: how the document itself might say it, other terms, and a translation if the documents may be in another language.
2. If the passages do not answer it, search again with other words, or read around a passage with read_doc.
3. Answer in the language of the question, only from what the passages say, and give file and lines after each statement, such as (notes/a.md, lines 12-40).
4. If you quote, call check_quotes with the quotations before you answer: correct what differs, and leave out what is nowhere.
5. If the documents do not answer it, say so.

`
	switch question := strings.TrimSpace(req.Params.Arguments["question"]); {
	case question == "":
		text += "The question is what I typed with this, or type next."
	case strings.ContainsFunc(question, isSpaceOrWide):
		text += "The question: " + question
	default:
		text += "The question: " + question + "\n(If this is only the first word of what I typed, use all of it.)"
	}
	return &mcp.GetPromptResult{
		Description: "Answer from the documents, with sources",
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}, nil
}

// isSpaceOrWide reports whether a rune cannot be part of a single English word: a space, or a wide
// character such as a Chinese one.
func isSpaceOrWide(r rune) bool { return r == ' ' || r == '\n' || r >= 0x2e80 }
