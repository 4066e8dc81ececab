package message

import (
	"maps"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message/catalog"
)

// entries maps English formats to those of another language.
type entries map[string]string

// plurals maps English formats to messages whose form depends on an argument.
type plurals map[string]catalog.Message

// newCatalogue builds the catalogue of a language.
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

// translate returns the format in a language for an English format, or the English one if there is
// none.
func translate(l Language, format string, args []any) string {
	in := l.spoken()
	found := lookup{format: format, args: args}
	if in.catalogue().Context(in.tag, &found).Execute(format) != nil { // it is not in the catalogue
		if _, shown, ok := strings.Cut(format, contextEnd); ok {
			return shown
		}
	}
	return found.format
}

// lookup implements catmsg.Renderer: it provides the arguments of a message and stores the chosen
// format.
type lookup struct {
	format string
	args   []any
}

// Arg returns the i-th argument, counted from 1.
func (l *lookup) Arg(i int) any {
	if i < 1 || i > len(l.args) {
		return nil
	}
	return l.args[i-1]
}

// Render stores the chosen format.
func (l *lookup) Render(format string) { l.format = format }

// ChineseFormats returns the Chinese catalogue, by English format. Tests compare it with the texts
// of the program.
func ChineseFormats() map[string]string {
	all := make(map[string]string)
	for _, part := range chinese() {
		maps.Copy(all, part)
	}
	return all
}
