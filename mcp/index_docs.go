package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

var indexDocs = &mcp.Tool{
	Name:  "index_docs",
	Title: "Bring the index up to date",
	Description: "Brings the index up to date with the files at once, and tells which files are not indexed and why. " +
		"Not needed before searching: changes are followed by themselves. " +
		"Texts given in docs are searchable until the server ends; they are not saved.",
	InputSchema: object(map[string]*jsonschema.Schema{
		"paths": texts("Only these files, folders or globs, such as `notes/new.md` or `cardio/**`.", 0),
		"force": {Type: "boolean", Description: "Read the files again even when they look unchanged."},
		"docs":  texts("Texts to search beside the files.", 0),
	}, []string{"paths", "force", "docs"}),
	Annotations: &mcp.ToolAnnotations{DestructiveHint: ptr(false), IdempotentHint: true, OpenWorldHint: ptr(false)},
}

// indexLimit is how long index_docs takes at most: hosts give up after about a
// minute, some sooner. The work goes on after it.
const indexLimit = 20 * time.Second

func (s *Server) indexDocs(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Paths []string `json:"paths"`
		Force bool     `json:"force"`
		Docs  []string `json:"docs"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	if len(in.Docs) > 0 {
		return s.indexTexts(ctx, in.Docs)
	}
	done := make(chan finished, 1)
	// The run outlives the limit but not the request's cancellation.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer stop()
		report, err := s.ix.Sync(running, index.Scope{Paths: in.Paths, Force: in.Force})
		done <- finished{report, err}
	}()
	return s.await(ctx, req, done, stop)
}

// finished is the outcome of a run.
type finished struct {
	report index.Report
	err    error
}

// await reports progress until the run ends or the limit is reached.
func (s *Server) await(ctx context.Context, req *mcp.CallToolRequest, done <-chan finished, stop func()) (*mcp.CallToolResult, error) {
	limit := time.NewTimer(indexLimit)
	defer limit.Stop()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case f := <-done:
			if f.err != nil {
				return nil, f.err
			}
			return textResult(DescribeReport(f.report)), nil
		case <-ctx.Done():
			stop()
			return nil, ctx.Err()
		case <-limit.C:
			return textResult(describeState(s.ix.State())), nil
		case <-tick.C:
			s.notifyProgress(ctx, req)
		}
	}
}

func (s *Server) notifyProgress(ctx context.Context, req *mcp.CallToolRequest) {
	token := req.Params.GetProgressToken()
	state := s.ix.State()
	if token == nil || state.Total == 0 {
		return
	}
	_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: float64(state.Done), Total: float64(state.Total),
		Message: fmt.Sprintf("%d of %d files", state.Done, state.Total),
	}) // progress is a courtesy
}

func (s *Server) indexTexts(ctx context.Context, docs []string) (*mcp.CallToolResult, error) {
	found, added, err := s.ix.AddTexts(ctx, docs)
	if err != nil {
		return nil, err
	}
	total := len(slices.DeleteFunc(s.ix.Documents(), func(d index.Document) bool { return d.Skip != "" }))
	line := fmt.Sprintf("Indexed %s; %d in total.", count(found, "document"), total)
	if added < found {
		line += fmt.Sprintf("\nIndexed already: %s.", count(found-added, "document"))
	}
	return textResult(line), nil
}

func describeState(s index.State) string {
	if s.Total == 0 {
		return "Still comparing the folder with the index; it goes on by itself. Call index_docs again to see how far it is."
	}
	return fmt.Sprintf("Still indexing: %d of %d files done; it goes on by itself. Call index_docs again to see how far it is.", s.Done, s.Total)
}

// DescribeReport tells what a run did, in a few lines.
func DescribeReport(r index.Report) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Indexed %s; %d in total.\n", count(r.Indexed, "document"), r.Total)
	if r.Unchanged > 0 {
		fmt.Fprintf(&out, "Unchanged: %s.\n", count(r.Unchanged, "document"))
	}
	if r.Removed > 0 {
		fmt.Fprintf(&out, "Removed: %s.\n", count(r.Removed, "document"))
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&out, "Warning: %s\n", w)
	}
	if len(r.Skipped) > 0 {
		out.WriteString(DescribeSkipped(r.Skipped))
	}
	return strings.TrimSpace(out.String())
}

// DescribeSkipped groups files that are not indexed by reason.
func DescribeSkipped(skipped []index.Skip) string {
	const named = 5 // files of each reason
	byReason := make(map[string][]string)
	var reasons []string
	for _, s := range skipped {
		if byReason[s.Reason] == nil {
			reasons = append(reasons, s.Reason)
		}
		byReason[s.Reason] = append(byReason[s.Reason], oneLine(s.Path))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Not indexed: %s.\n", count(len(skipped), "file"))
	for _, reason := range reasons {
		paths := byReason[reason]
		more := ""
		if len(paths) > named {
			more = fmt.Sprintf(" and %d more", len(paths)-named)
		}
		fmt.Fprintf(&out, "- %s: %s%s\n", reason, strings.Join(paths[:min(named, len(paths))], ", "), more)
	}
	return strings.TrimSpace(out.String())
}
