package cli

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// noteHandler is a slog.Handler for commands whose log is read by the person who has typed them: it
// prints each warning as a note in the language of the user. What is for a bug report goes to log.
type noteHandler struct {
	*program
	log        slog.Handler
	attributes []slog.Attr
}

var _ slog.Handler = noteHandler{}

// Enabled implements slog.Handler.
func (h noteHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}

// Handle implements slog.Handler.
func (h noteHandler) Handle(ctx context.Context, r slog.Record) error {
	about := slices.Clone(h.attributes)
	r.Attrs(func(a slog.Attr) bool {
		about = append(about, a)
		return true
	})
	if slices.ContainsFunc(about, func(a slog.Attr) bool { return a.Key == "stack" }) {
		return h.log.Handle(ctx, r)
	}
	note := message.New(r.Message)
	if details := describeAttributes(about); details != "" {
		note = message.New("%v (%v)", note, details)
	}
	_, err := fmt.Fprintln(h.stderr, h.localise("note: %s", note))
	return err
}

// WithAttrs implements slog.Handler.
func (h noteHandler) WithAttrs(more []slog.Attr) slog.Handler {
	h.log, h.attributes = h.log.WithAttrs(more), slices.Concat(h.attributes, more)
	return h
}

// WithGroup implements slog.Handler. The names of groups are not shown.
func (h noteHandler) WithGroup(name string) slog.Handler {
	h.log = h.log.WithGroup(name)
	return h
}

// plainAttributes are the attributes that say something without their names. The others are left to
// logs.
var plainAttributes = []string{"before", "error", "first", "folder", "host", "library", "now", "passage", "path", "reason"}

// describeAttributes returns what a log record says beside its message.
func describeAttributes(all []slog.Attr) (described message.Message) {
	for _, a := range all {
		if slices.Contains(plainAttributes, a.Key) {
			described = message.Join(described, attributeValue(a.Value).MapForeignTexts(present.JoinLines))
		}
	}
	return described
}

// attributeValue returns the value of an attribute. An error, or a text of the program, can be
// translated.
func attributeValue(v slog.Value) message.Message {
	switch value := v.Resolve().Any().(type) {
	case message.Message:
		return value
	case error:
		return message.FromError(value)
	}
	return message.New("%s", v.String())
}
