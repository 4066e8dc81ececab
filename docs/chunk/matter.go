package chunk

import "strings"

// maxFrontMatter is the length in bytes above which a text that begins like
// front matter is taken to be something else.
const maxFrontMatter = 64 << 10

// frontMatter returns the length of the YAML or TOML front matter of text with
// its last line end, 0 if it has none.
func frontMatter(text string) int {
	s := lineScanner{text: text[:min(len(text), maxFrontMatter)]}
	start, end, _ := s.next()
	fence := strings.TrimRight(text[start:end], " \t")
	if fence != "---" && fence != "+++" {
		return 0
	}
	assigned := false
	for {
		start, end, ok := s.next()
		if !ok {
			return 0
		}
		line := strings.TrimRight(text[start:end], " \t")
		if line == fence || line == "..." && fence == "---" {
			if assigned {
				return s.pos
			}
			return 0
		}
		// A thematic break may also stand first in a text; what sets front
		// matter apart is that it assigns something.
		separator := ":"
		if fence == "+++" {
			separator = "="
		}
		key, _, found := strings.Cut(line, separator)
		key = strings.TrimSpace(key)
		assigned = assigned || found && key != "" && !strings.ContainsAny(key, " \t")
	}
}

// frontMatterTitle finds `title: …` (YAML) or `title = …` (TOML).
func frontMatterTitle(matter string) string {
	for line := range strings.Lines(matter) {
		rest, ok := strings.CutPrefix(line, "title")
		if !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		if rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		value := strings.TrimSpace(rest[1:])
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		if strings.ContainsAny(value[:min(1, len(value))], "|>[{&*") {
			return "" // YAML that is more than a plain scalar
		}
		return shorten(value)
	}
	return ""
}
