// Package chat writes chats as one section per day, with each message once, its sender and its
// time. It also reads the text files that WhatsApp exports.
package chat

import (
	"strings"

	"vademecum/docs/extract/markdown"
)

// A Message is a message of a chat.
type Message struct {
	Day    string // day as 2024-03-05, or as written in the file
	Time   string // time of day as 10:15, or "" if unknown
	Sender string // name of the sender, or "" if unknown
	Text   string // text of the message, of one or several lines
}

// A Writer writes the messages of conversations, with a heading for each day.
type Writer struct {
	Markdown *markdown.Writer
	day      string
}

// BeginConversation begins a new conversation, with its title as a heading.
func (w *Writer) BeginConversation(title string) {
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
