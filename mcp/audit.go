package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// caller is who sends a request, as the log tells it.
type caller struct {
	user    string
	session string // a name of it that lets nobody in; "" where there is none, or it is not known here

	onlyReads bool // see HTTPOptions.MayWrite
}

type callerKey struct{}

// local is the user of a server that is asked over pipes.
const local = "local"

// callerOf is who sends a request. Over HTTP an Endpoint says so.
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

// sessionLabel tells a session from others in the log: who knows its name can speak in
// it where nobody is asked who they are.
func sessionLabel(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
}

// callOutcome is what the answer to a request came to, beyond what the result says.
type callOutcome struct {
	passages int
	asked    []string // the question and its other wordings
}

type outcomeKey struct{}

// noteSearch notes what a question found.
func noteSearch(ctx context.Context, passages int, asked ...string) {
	if c, ok := ctx.Value(outcomeKey{}).(*callOutcome); ok {
		c.passages, c.asked = passages, asked
	}
}

// outcomeOf says how a call ended: answered, refused by a result that says what is
// wrong, failed with an error of the protocol, or cancelled as nobody waits any more.
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

// ToolCall is a call of a tool, or a resource that was read, for whoever counts them.
type ToolCall struct {
	Tool    string // or resources/read; unknown for a tool that there is not
	Outcome string // answered, refused, failed or cancelled
	Took    time.Duration
}

// audit logs who has called which tool, or read a resource, and what came of it: what
// was asked only if the operator wants it, and nothing else of requests and answers.
func (s *Server) audit(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		var tool string
		switch p := req.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			tool = "unknown" // the name may hold anything
			if toolNamed(p.Name) != nil {
				tool = p.Name
			}
		case *mcp.ReadResourceParams:
			tool = method
		default:
			return next(ctx, method, req)
		}
		began, c := time.Now(), new(callOutcome)
		result, err := next(context.WithValue(ctx, outcomeKey{}, c), method, req)
		by, call := callerOf(ctx, req), ToolCall{Tool: tool, Outcome: outcomeOf(ctx, result, err), Took: time.Since(began)}
		s.observe(call)
		said := []slog.Attr{slog.String("user", by.user)}
		if by.session != "" {
			said = append(said, slog.String("session", by.session))
		}
		said = append(said, slog.String("tool", tool), slog.Duration("took", call.Took.Round(time.Microsecond)),
			slog.Int("passages", c.passages), slog.String("outcome", call.Outcome))
		if s.logQueries && len(c.asked) > 0 {
			said = append(said, slog.Any("asked", c.asked))
		}
		s.log.LogAttrs(ctx, slog.LevelInfo, "call", said...)
		return result, err
	}
}
