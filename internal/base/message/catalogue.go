package message

import (
	"maps"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message/catalog"
)

// entries are the formats of a language by the English ones.
type entries map[string]string

// plurals are those of which an argument decides.
type plurals map[string]catalog.Message

// newCatalogue makes the catalogue of a language.
func newCatalogue(tag language.Tag, counted plurals, parts []entries) catalog.Catalog {
	b := catalog.NewBuilder(catalog.Fallback(tag))
	set := func(format string, m catalog.Message) {
		if err := b.Set(tag, format, m); err != nil {
			panic("the catalogue of " + tag.String() + " is wrong: " + format + ": " + err.Error())
		}
	}
	for format, m := range counted {
		set(format, m)
	}
	for _, part := range parts {
		for format, text := range part {
			set(format, catalog.String(text))
		}
	}
	return b
}

// translate returns the format that a language has for an English one, or that one.
func translate(l Language, format string, args []any) string {
	in := l.spoken()
	found := lookup{format: format, args: args}
	if in.catalogue().Context(in.tag, &found).Execute(format) != nil { // it has none
		if _, shown, ok := strings.Cut(format, contextEnd); ok {
			return shown
		}
	}
	return found.format
}

// lookup is a message as a catalogue renders it: its arguments, and the format chosen.
type lookup struct {
	format string
	args   []any
}

// Arg returns an argument, counted from 1.
func (l *lookup) Arg(i int) any {
	if i < 1 || i > len(l.args) {
		return nil
	}
	return l.args[i-1]
}

// Render stores the chosen format.
func (l *lookup) Render(format string) { l.format = format }

// ChineseFormats returns the Chinese catalogue, by the English formats. Tests compare it with the
// texts of the program.
func ChineseFormats() map[string]string {
	all := make(map[string]string)
	for _, part := range chinese() {
		maps.Copy(all, part)
	}
	return all
}
