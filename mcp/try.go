package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TryServer starts a server, asks it a question as a host would, and ends it. It returns the number
// of tools. If the server fails before it can be asked, the error contains the last line that it
// wrote to stderr.
func TryServer(ctx context.Context, server *exec.Cmd, question string) (toolCount int, err error) {
	var complaints lastLineWriter
	server.Stderr = &complaints
	client := mcp.NewClient(&mcp.Implementation{Name: "vademecum", Version: "1"}, nil)
	host, err := client.Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		return 0, complaints.withLine(err)
	}
	defer func() { err = errors.Join(err, host.Close()) }()
	listed, err := host.ListTools(ctx, nil)
	if err != nil {
		return 0, err
	}
	answer, err := host.CallTool(ctx, &mcp.CallToolParams{Name: "retrieve_docs", Arguments: map[string]any{"query": question, "top_k": 1}})
	if err != nil {
		return 0, err
	}
	if answer.IsError {
		return 0, fmt.Errorf("retrieve_docs: %s", errorTextIn(answer))
	}
	return len(listed.Tools), nil
}

func errorTextIn(answer *mcp.CallToolResult) string {
	for _, c := range answer.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return ""
}

// lastLineWriter keeps the last line written to it, up to a length of mostOfLine bytes.
type lastLineWriter struct {
	mu   sync.Mutex
	line []byte
}

const mostOfLine = 1000

// Write implements io.Writer.
func (l *lastLineWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := append(l.line, p...)
	if end := bytes.LastIndexByte(bytes.TrimRight(all, "\n"), '\n'); end >= 0 {
		all = all[end+1:]
	}
	l.line = all[:min(len(all), mostOfLine)]
	return len(p), nil
}

// withLine returns an error with the last line added.
func (l *lastLineWriter) withLine(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	// the cut may be inside a character
	if line := bytes.TrimSpace(bytes.ToValidUTF8(l.line, nil)); len(line) > 0 {
		return fmt.Errorf("%w (%s)", err, line)
	}
	return err
}
