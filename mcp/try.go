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

// Try starts a server, asks it as a host does and ends it. It returns how many tools
// the server has. The error holds the last line that the server wrote to stderr if it
// did not get so far as to be asked.
func Try(ctx context.Context, server *exec.Cmd, question string) (tools int, err error) {
	var complaints lastLine
	server.Stderr = &complaints
	client := mcp.NewClient(&mcp.Implementation{Name: "vademecum", Version: "1"}, nil)
	host, err := client.Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		return 0, complaints.explain(err)
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
		return 0, fmt.Errorf("retrieve_docs: %s", complaintIn(answer))
	}
	return len(listed.Tools), nil
}

func complaintIn(answer *mcp.CallToolResult) string {
	for _, c := range answer.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return ""
}

// lastLine keeps the last line that was written, of any length up to mostOfLine.
type lastLine struct {
	mu   sync.Mutex
	line []byte
}

const mostOfLine = 1000

// Write implements io.Writer.
func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := append(l.line, p...)
	if end := bytes.LastIndexByte(bytes.TrimRight(all, "\n"), '\n'); end >= 0 {
		all = all[end+1:]
	}
	l.line = all[:min(len(all), mostOfLine)]
	return len(p), nil
}

// explain adds the line to an error.
func (l *lastLine) explain(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line := bytes.TrimSpace(bytes.ToValidUTF8(l.line, nil)); len(line) > 0 { // it may be cut in a character
		return fmt.Errorf("%w (%s)", err, line)
	}
	return err
}
