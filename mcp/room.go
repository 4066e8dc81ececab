package mcp

import (
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// room is how much may still be sent in one result, counted as JSON, which is
// what crosses the wire and what some hosts count.
type room struct{ characters, bytes int }

// wholeResult is the room of one result. Hosts cut what is longer, or put a
// file in its place: Qwen Code 0.15 from 25,000 characters on, Codex 0.169 from
// 10,000 tokens of four bytes, Gemini CLI 0.61 from 40,000 characters, Claude
// Code 2.1 from 50,000 characters.
var wholeResult = room{characters: 24_000, bytes: 38_000}

// hostLimit is told to hosts that let a tool say how long its results may be,
// in characters: well above what is sent.
const hostLimit = 50_000

// newRoom is the room for the content of a result, without what stands around
// it and the note on parameters that are not known.
func newRoom() room { return wholeResult.without(room{800, 1600}) }

func (r room) without(s room) room { return room{r.characters - s.characters, r.bytes - s.bytes} }

func (r room) plus(s room) room { return room{r.characters + s.characters, r.bytes + s.bytes} }

func (r room) holds(s room) bool { return s.characters <= r.characters && s.bytes <= r.bytes }

// sizeOf is what blocks of content take.
func sizeOf(content ...mcp.Content) room {
	var s room
	for _, c := range content {
		blob, err := c.MarshalJSON()
		if err != nil { // what cannot be sent has no place
			return wholeResult.without(room{-1, -1})
		}
		s.characters += utf8.RuneCount(blob) + 1 // the comma
		s.bytes += len(blob) + 1
	}
	return s
}

// textSize is what a block of text takes.
func textSize(text string) room { return sizeOf(&mcp.TextContent{Text: text}) }

// fit returns how many bytes of text there is room for, at the end of a
// character.
func (r room) fit(text string) int {
	for i, c := range text {
		s := escaped(c)
		if !r.holds(s) {
			return i
		}
		r = r.without(s)
	}
	return len(text)
}

// escaped is what a character takes in a string of JSON, as encoding/json
// writes it.
func escaped(c rune) room {
	switch {
	case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
		return room{2, 2}
	case c < ' ' || c == utf8.RuneError || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029':
		return room{6, 6}
	}
	return room{1, utf8.RuneLen(c)}
}
