package mcp

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/progress"
	"vademecum/internal/app/hosts"
)

// previewed is a library that answers every question with one passage.
type previewed struct{ Library }

func (previewed) Folders() []string                                  { return nil }
func (previewed) WaitFresh(context.Context, index.WaitPurpose) error { return nil }

func (previewed) ChangeNumber() uint64 { return 0 }

func (previewed) State() (s progress.State) { return s }

func (previewed) Contents(context.Context) (c index.Contents, err error) { return c, nil }

func (previewed) Ask(context.Context, index.Question) (index.Reply, error) {
	p := index.Passage{Document: index.Document{Path: "asthma.md", TextMIME: "text/markdown"}, Text: "A spacer helps.", Place: "line 3", URI: "file:///asthma.md#line=2,3", Score: 1}
	return index.Answer{Passages: []index.Passage{p}, HasLowCoverage: true}, nil
}

// TestPreview checks that a preview is what a client of that name gets.
func TestPreview(t *testing.T) {
	t.Parallel()
	library := previewed{}
	s := New(library, Options{PassesResourcesToModel: hosts.ReadsResources, Logger: slog.New(slog.DiscardHandler)})
	for client, want := range map[string]ResultsMode{"codex-mcp-client": ResultsText, "claude-code": ResultsResource, "unheard-of": ResultsBoth} {
		p, err := s.PreviewResult(t.Context(), client, index.Query{Text: "spacer"})
		if err != nil || p.Mode != want || len(p.Passages) != 1 {
			t.Fatalf("%s: %+v, %v", client, p, err)
		}
		through, to := sdk.NewInMemoryTransports()
		if _, err := s.sdk.Connect(t.Context(), to, nil); err != nil {
			t.Fatal(err)
		}
		c, err := sdk.NewClient(&sdk.Implementation{Name: client, Version: "1"}, nil).Connect(t.Context(), through, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "retrieve_docs", Arguments: map[string]any{"query": "spacer"}})
		if err != nil {
			t.Fatal(err)
		}
		var sent, shown []string
		for _, block := range got.Content {
			sent = append(sent, toBlock(block).Text)
		}
		for _, block := range p.Blocks {
			shown = append(shown, block.Text)
		}
		if strings.Join(sent, "\x00") != strings.Join(shown, "\x00") || p.Characters < len(strings.Join(sent, "")) {
			t.Errorf("%s gets %q, and people are shown %q", client, sent, shown)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.PreviewResult(t.Context(), "", index.Query{}); err == nil {
		t.Error("an empty question is answered")
	}
}
