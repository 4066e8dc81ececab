package mail

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// separatorLine matches the line before each message of a mailbox: the sender, in one of many
// notations, and the time in the format of asctime(3) (RFC 4155, A).
var separatorLine = lazyregexp.New(`^From .*\b[A-Z][a-z][a-z] [A-Z][a-z][a-z] +\d{1,2} \d{1,2}:\d\d`)

// IsMailbox reports whether a file with this start is a mailbox: its first line is a separator,
// followed by a header field.
func IsMailbox(start []byte) bool {
	line, rest, _ := bytes.Cut(start, []byte("\n"))
	return separatorLine.Match(line) && beginsWithField(rest)
}

// beginsWithField reports whether b begins with a header field.
func beginsWithField(b []byte) bool {
	line, _, found := bytes.Cut(b[:min(len(b), maxFieldName)], []byte(":"))
	return found && isFieldName(line)
}

const maxFieldName = 80 // maximum bytes of the name of a field, which ends with a colon

// splitMailbox returns the messages of a mailbox without their separator lines, or raw as the only
// message if it is not a mailbox.
func splitMailbox(raw []byte) [][]byte {
	raw = bytes.TrimLeft(raw, "\xEF\xBB\xBF \t\r\n")
	start := nextLineStart(raw, 0)
	if !separatorLine.Match(raw[:start]) {
		return [][]byte{raw}
	}
	var messages [][]byte
	for separator := range separatorOffsets(raw) {
		messages = append(messages, unquoteFrom(raw[start:separator]))
		start = nextLineStart(raw, separator)
	}
	return append(messages, unquoteFrom(raw[start:]))
}

// separatorOffsets yields the offsets of the separator lines. A separator is followed by a header;
// other lines of that form are text. Not all programs write a blank line before it.
func separatorOffsets(raw []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := bytes.Index(raw[at:], []byte("\nFrom "))
			if i < 0 {
				return
			}
			at += i + 1
			end := nextLineStart(raw, at)
			if beginsWithField(raw[end:]) && separatorLine.Match(raw[at:end]) && !yield(at) {
				return
			}
		}
	}
}

// nextLineStart returns the offset of the line after the one that contains the offset at.
func nextLineStart(raw []byte, at int) int {
	if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(raw)
}

// unquoteFrom removes the ">" that mailboxes put before lines of a message that begin with "From ".
func unquoteFrom(message []byte) []byte {
	if !bytes.Contains(message, []byte(">From ")) {
		return message
	}
	text := make([]byte, 0, len(message))
	for line := range bytes.Lines(message) {
		if bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
			line = bytes.TrimPrefix(line, []byte(">"))
		}
		text = append(text, line...)
	}
	return text
}

const mozillaExpunged = 0x8 // flag of X-Mozilla-Status for a deleted message

// isDeletedOrInternal reports whether a message of a mailbox is not for its owner to see:
// Thunderbird has deleted it but not yet removed it from the file, or a mail server keeps its own
// data in it.
func (h headerFields) isDeletedOrInternal() bool {
	flags, _ := strconv.ParseUint(h["x-mozilla-status"], 16, 16)
	return flags&mozillaExpunged != 0 || strings.HasSuffix(h["subject"], "FOLDER INTERNAL DATA")
}
