package cli

import (
	"os"
	"slices"
	"strings"

	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// languageFlag is the value of the flag that chooses the language of messages.
type languageFlag struct{ chosen *message.Language }

func (f languageFlag) String() string {
	if f.chosen == nil { // pflag calls String on a zero value
		return ""
	}
	return string(*f.chosen)
}

func (languageFlag) Type() string { return "string" }

func (f languageFlag) Set(given string) error {
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(given, "_", "-")), "-")
	known := message.Languages()
	if l := message.Language(code); slices.Contains(known, l) {
		*f.chosen = l
		return nil
	}
	codes := message.Message(known[0])
	for _, l := range known[1:] {
		codes = message.New("%v or %v", codes, string(l))
	}
	return message.Errorf("must be %v", codes)
}

// language returns the language of messages: the one chosen by --lang, or else that of the locale.
func (p *program) language() message.Language {
	if p.chosenLanguage != "" {
		return p.chosenLanguage
	}
	return message.LanguageOf(locale())
}

// locale returns the locale for messages: from the environment variables in the order that POSIX
// prescribes, or else that of the system.
func locale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return systemLocale()
}

// localise returns a text like [message.New] in the language of the user.
func (p *program) localise(format string, args ...any) string {
	return p.translate(message.New(format, args...))
}

// translateLine returns a message in the language of the user, without characters that are unsafe
// within a line.
func (p *program) translateLine(m message.Message) string { return present.CleanLine(p.translate(m)) }

// translate returns a message in the language of the user, with commands that can be typed as they
// stand.
func (p *program) translate(m message.Message) string {
	return m.InLanguageEdited(p.language(), p.typeableCommands)
}

// translateAll returns notes in the language of the user.
func (p *program) translateAll(notes []notice.Note) (lines []string) {
	for _, n := range notes {
		lines = append(lines, p.translate(n.Message()))
	}
	return lines
}
