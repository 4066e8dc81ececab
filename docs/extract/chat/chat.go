// Package chat writes chats: a section a day, and in it each message once with its sender
// and its time. It reads the text that WhatsApp exports.
package chat

import (
	"strings"

	"vademecum/docs/extract/markdown"
)

// A Message is a message of a chat.
type Message struct {
	Day    string // as 2024-03-05, or as the file writes it
	Time   string // as 10:15, or ""
	Sender string // or ""
	Text   string // possibly of several lines
}

// A Writer writes messages in order.
type Writer struct {
	Markdown *markdown.Writer
	day      string
}

// Begin begins another conversation.
func (w *Writer) Begin(title string) {
	w.Markdown.WriteHeading(1, title)
	w.day = ""
}

// Write writes a message, preceded by a heading when the day changes. Messages without text are
// left out.
func (w *Writer) Write(m Message) {
	if strings.TrimSpace(m.Text) == "" {
		return
	}
	if m.Day != w.day && m.Day != "" {
		w.day = m.Day
		w.Markdown.WriteHeading(2, m.Day)
	}
	from := markdown.OneLine(m.Sender)
	if m.Time != "" {
		from = strings.TrimSpace(from + " (" + m.Time + ")")
	}
	if from != "" {
		from += ": "
	}
	w.Markdown.WriteParagraph(from + strings.TrimSpace(m.Text))
}
