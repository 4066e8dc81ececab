package chat

import (
	"bytes"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// firstLine matches the first line of a message in a WhatsApp export: "[05.03.24, 10:15:07] Ann:
// Hello" on iOS and "05/03/2024, 10:15 - Ann: Hello" on Android; the format depends on the settings
// of the phone. A line without a sender comes from WhatsApp itself.
var firstLine = lazyregexp.New(`^[\x{200E}\x{200F}\x{202A}-\x{202E}]*(?:` +
	`\[(` + datePattern + `),? (` + timePattern + `)\]|(` + datePattern + `),? (` + timePattern + `) -) (?:([^:\n]{1,80}): ?)?(.*)$`)

const (
	datePattern = `\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`
	timePattern = `(?:上午|下午)?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \x{202F}\x{A0}]?[AaPp]\.?[ \x{A0}]?[Mm]\.?)?`
)

// Log files may have lines of the same form. If the dates look like those of logs, a chat is
// recognised by the encryption notice with which nearly all chats begin.
var (
	logLine          = lazyregexp.New(`^\[?\d{4}-|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\b *:`)
	encryptionNotice = lazyregexp.New(`WhatsApp|end-to-end|Ende-zu-Ende|端到端|端對端|\x{200E}`)
)

// IsWhatsApp reports whether a file that begins with start is a chat exported by WhatsApp: it must
// begin with two messages.
func IsWhatsApp(start []byte) bool {
	messages, first := 0, []byte(nil)
	for line := range bytes.Lines(start) {
		line = bytes.TrimRight(line, "\r\n")
		switch isMessage := firstLine.Match(line); {
		case isMessage && messages == 1:
			return !logLine.Match(first) && !logLine.Match(line) || encryptionNotice.Match(first)
		case isMessage:
			messages, first = 1, line
		case messages == 0:
			return false
		}
	}
	return false
}

// ReadWhatsApp reads a chat exported by WhatsApp. Placeholders for omitted media are left out.
func ReadWhatsApp(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	file, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	var w markdown.Writer
	chat := Writer{Markdown: &w}
	var open Message
	for line := range strings.Lines(file.Text) {
		line = marks.Replace(strings.TrimRight(line, "\r\n"))
		if m := firstLine.FindStringSubmatch(line); m != nil {
			chat.Write(open)
			open = Message{Day: m[1] + m[3], Time: m[2] + m[4], Sender: strings.TrimPrefix(m[5], "~ "), Text: markStruck(mediaNote.ReplaceAllString(m[6], ""))}
		} else {
			open.Text += "\n" + markStruck(line)
		}
	}
	chat.Write(open)
	c, err := w.Content()
	c.Encoding, c.IsEncodingGuessed, c.ExtractionNote = file.Encoding, file.IsEncodingGuessed, file.ExtractionNote
	return c, err
}

// markStruck returns a line of a message with the marks of Markdown around what is struck out. WhatsApp
// marks it by one tilde on each side; two tildes, as in "See you~~", mark nothing.
func markStruck(line string) string { return markdown.MarkStruckParts(line, struckText) }

// struckText matches text that WhatsApp strikes out, after the beginning of a word and up to the end of one.
var struckText = lazyregexp.New(`(?:^|[\s\pP])~([^\s~](?:[^~]*[^\s~])?)~(?:$|[\s\pP])`)

var (
	marks     = strings.NewReplacer("\u200E", "", "\u200F", "", "\u202A", "", "\u202C", "", "\u202F", " ")
	mediaNote = lazyregexp.New(`^(?:<[^<>]*(?i:omitted|weggelassen|ausgeschlossen|omis|omitido|omesso|省略|忽略)[^<>]*>|(?i:image|video|audio|sticker|gif|document|contact card) omitted|<(?:attached|Anhang|附件)[:：] ?[^<>]*>)$`)
)
