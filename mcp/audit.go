package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/operations"
)

// caller identifies the sender of a request in the log.
type caller struct {
	user    string
	session string // hash of the session ID, which does not let anyone use the session; "" if none or unknown

	onlyReads bool // the caller may not write; see HTTPOptions.MayWrite
}

type callerKey struct{}

// local is the caller of a server over stdio.
const local = "local"

// callerOf returns the caller of a request. Over HTTP, the Endpoint has put it into the context.
func callerOf(ctx context.Context, req mcp.Request) caller {
	c, ofHTTP := ctx.Value(callerKey{}).(caller)
	if !ofHTTP {
		c.user = local
	}
	if session, ok := req.GetSession().(*mcp.ServerSession); ok && c.session == "" && session.ID() != "" {
		c.session = sessionLabel(session.ID())
	}
	return c
}

// sessionLabel returns a hash of a session ID for the log. The ID itself is a secret: if users are
// not authenticated, anybody who knows it can use the session.
func sessionLabel(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
}

// callOutcome is what the log records about a call that its response does not contain.
type callOutcome struct {
	passages int
	asked    []string // the question and its rewordings
}

type outcomeKey struct{}

// loggedLibrary is a Library that records, for the log, the questions that a call asks and the
// number of hits.
type loggedLibrary struct{ Library }

// Ask answers a question and, if that succeeds, records it in the callOutcome of the context.
func (l loggedLibrary) Ask(ctx context.Context, q index.Question) (index.Reply, error) {
	reply, err := l.Library.Ask(ctx, q)
	if c, ok := ctx.Value(outcomeKey{}).(*callOutcome); ok && err == nil {
		c.passages, c.asked = reply.LoggedHitCount(), q.QueryTexts()
	}
	return reply, err
}

// outcomeOf returns how a call ended: answered, refused by a result with isError, failed with a
// JSON-RPC error, or cancelled by the client.
func outcomeOf(ctx context.Context, result mcp.Result, err error) string {
	switch r, _ := result.(*mcp.CallToolResult); {
	case ctx.Err() != nil:
		return "cancelled"
	case err != nil:
		return "failed"
	case r != nil && r.IsError:
		return "refused"
	}
	return "answered"
}

// ToolCall describes a call of a tool, or the reading of a resource, for metrics.
type ToolCall struct {
	Tool     string        // name of the tool, "resources/read", or "unknown" for a tool that does not exist
	Outcome  string        // answered, refused, failed or cancelled
	Duration time.Duration // how long the call took
}

// audit is middleware that logs who called which tool or read which resource, and with what
// outcome. Questions are logged only with Options.LogQueries, and nothing else of requests and
// responses ever.
func (s *Server) audit(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		var tool string
		switch p := req.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			tool = "unknown" // the name may contain anything
			if _, found := operations.OperationByName(p.Name); found {
				tool = p.Name
			}
		case *mcp.ReadResourceParams:
			tool = method
		default:
			return next(ctx, method, req)
		}
		began, c := time.Now(), new(callOutcome)
		result, err := next(context.WithValue(ctx, outcomeKey{}, c), method, req)
		by, call := callerOf(ctx, req), ToolCall{Tool: tool, Outcome: outcomeOf(ctx, result, err), Duration: time.Since(began)}
		s.observe(call)
		said := []slog.Attr{slog.String("user", by.user)}
		if by.session != "" {
			said = append(said, slog.String("session", by.session))
		}
		said = append(said, slog.String("tool", tool), slog.Duration("took", call.Duration.Round(time.Microsecond)),
			slog.Int("passages", c.passages), slog.String("outcome", call.Outcome))
		if s.logQueries && len(c.asked) > 0 {
			said = append(said, slog.Any("asked", c.asked))
		}
		s.log.LogAttrs(ctx, slog.LevelInfo, "call", said...)
		return result, err
	}
}
