package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *Server) addPrompt() {
	s.sdk.AddPrompt(&mcp.Prompt{
		Name:        "answer_from_docs",
		Title:       "Answer from my documents",
		Description: "Answers a question from the documents alone, and names file and lines of each source.",
		Arguments: []*mcp.PromptArgument{
			{Name: "question", Title: "Question", Description: "What to answer.", Required: true},
			{Name: "path", Title: "Documents", Description: "Only documents that this glob means, such as cardio/**."},
		},
	}, s.answerFromDocs)
}

func (s *Server) answerFromDocs(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	question := strings.TrimSpace(req.Params.Arguments["question"])
	if question == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "question is missing: give the question to answer"}
	}
	var out strings.Builder
	out.WriteString("Answer the question below from my documents.\n\n")
	out.WriteString("1. Call retrieve_docs with the question")
	if path := req.Params.Arguments["path"]; path != "" {
		out.WriteString(", path `" + path + "`")
	}
	out.WriteString(", and in `also` two or three other wordings, among them a translation if the documents may be in another language.\n")
	out.WriteString("2. If the passages do not answer it, search again with other words, or read around a passage with read_doc.\n")
	out.WriteString("3. Answer in the language of the question, only from what the passages say, and put file and lines after each statement, such as (notes/a.md, lines 12-40).\n")
	out.WriteString("4. If the documents do not answer it, say so.\n\n")
	out.WriteString("Question: " + question)
	return &mcp.GetPromptResult{
		Description: "Answer from the documents, with sources",
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: out.String()}}},
	}, nil
}
