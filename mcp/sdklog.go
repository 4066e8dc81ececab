package mcp

import (
	"context"
	"log/slog"
	"slices"
)

// sdkLogger returns a logger for the SDK. It drops what the SDK logs at Info for each call, and
// logs mistakes of clients at Info instead of Error.
func sdkLogger(l *slog.Logger) *slog.Logger { return slog.New(sdkLogHandler{l.Handler()}) }

type sdkLogHandler struct{ slog.Handler }

// mistakes are the messages that the SDK (v1.8.0) logs as errors although they describe mistakes of
// clients.
var mistakes = []string{
	"initialized before initialize", "duplicate initialized notification", "duplicate initialize request",
	"method removed in the new protocol", "method invalid during initialization",
	"server connect error", // the client disconnected before it sent anything
}

func (h sdkLogHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Handle logs a record, at Info if it describes a mistake of a client.
func (h sdkLogHandler) Handle(ctx context.Context, r slog.Record) error {
	if slices.Contains(mistakes, r.Message) {
		r.Level = slog.LevelInfo
		if !h.Handler.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return h.Handler.Handle(ctx, r)
}

func (h sdkLogHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return sdkLogHandler{h.Handler.WithAttrs(attrs)}
}

func (h sdkLogHandler) WithGroup(name string) slog.Handler {
	return sdkLogHandler{h.Handler.WithGroup(name)}
}
