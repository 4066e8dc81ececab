package asciidoc

import (
	"regexp"
	"strings"
	"sync"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// maxLine is the length in bytes above which the markup of a line is not converted.
const maxLine = 20_000

// A macroRule replaces an inline macro with its text.
type macroRule struct {
	mark        string // string that every such macro contains, to avoid matching the slow expression
	macro       *regexp.Regexp
	replacement string
}

var macroRules = sync.OnceValue(func() []macroRule {
	var all []macroRule
	for _, r := range [][3]string{
		{"<<", `<<[^<>,]*,\s*([^<>]+)>>`, "$1"},
		{"<<", `<<#?([^<>]+)>>`, "$1"},
		{"((", `\(\(\([^()]*\)\)\)`, ""},
		{"((", `\(\(([^()]+)\)\)`, "$1"},
		{"[[", `\[\[[^\[\]]*\]\]`, ""},
		{"line-through", `\[[^\[\]]*\bline-through\b[^\[\]]*\]##?([^#]+)##?`, "~~$1~~"},
		{"line-through", `\[[^\[\]]*\bline-through\b[^\[\]]*\]\*\*?([^*]+)\*\*?`, "~~$1~~"},
		{"line-through", `\[[^\[\]]*\bline-through\b[^\[\]]*\]__?([^_]+)__?`, "~~$1~~"},
		{"line-through", "\\[[^\\[\\]]*\\bline-through\\b[^\\[\\]]*\\]``?([^`]+)``?", "~~$1~~"},
		{"]#", `\[[^\[\]]*\]##?([^#]+)##?`, "$1"},
		{"xref:", `\bxref:[^\s\[\]]*\[([^\]]+)\]`, "$1"},
		{"xref:", `\bxref:([^\s\[\]]*)\[\]`, "$1"},
		{"link:", `\blink:([^\s\[\]]*)\[\]`, "$1"},
		{"link:", `\blink:[^\s\[\]]*\[([^\]]+?)(?:,\s*\w+=[^\]]*|\^)?\]`, "$1"},
		{"mailto:", `\bmailto:([^\s\[\]]*)\[\]`, "$1"},
		{"mailto:", `\bmailto:[^\s\[\]]*\[([^\],]+)[^\]]*\]`, "$1"},
		{"://", `\b(https?|ftp|irc)://([^\s\[\]<>]+)\[\]`, "$1://$2"},
		{"://", `\b(?:https?|ftp|irc)://[^\s\[\]<>]+\[([^\]]+?)(?:,\s*\w+=[^\]]*|\^)?\]`, "$1"},
		{"image:", `\b(?:image|icon):[^\s\[\]:]+\[([^\],=]*)[^\]]*\]`, "$1"},
		{"footnote", `footnote(?:ref)?:[^\s\[\]]*\[([^\]]+)\]`, " ($1)"},
		{"menu:", `\bmenu:([^\[\]]+)\[([^\]]*)\]`, "$1 > $2"},
		{":[", `\b(?:kbd|btn|pass|stem|latexmath|asciimath):\w*\[([^\]]*)\]`, "$1"},
		{"indexterm", `\bindexterm2?:\[[^\]]*\]`, ""},
		{"anchor:", `\banchor:[^\s\[\]]*\[[^\]]*\]`, ""},
		{"linkgit:", `\blinkgit:([^\s\[\]]+)\[(\d*)\]`, "$1($2)"},
		{"+++", `\+\+\+(.*?)\+\+\+`, "$1"},
		{"\"`", "\"`([^`]+)`\"", "“$1”"},
		{"'`", "'`([^`]+)`'", "‘$1’"},
	} {
		all = append(all, macroRule{r[0], regexp.MustCompile(r[1]), r[2]})
	}
	return all
})

// struckStart matches the beginning of struck-out text, with its role and its mark.
var struckStart = lazyregexp.New("\\[[^\\[\\]\n]*\\bline-through\\b[^\\[\\]\n]*\\](##?|\\*\\*?|__?|``?)")

// Maximum lengths, in bytes, of struck-out text over several lines, and of all roles and marks that are repeated.
const (
	maxStruckText  = 4 << 10
	maxStruckMarks = 1 << 20
)

// strikeEachLine returns a source in which the role and the marks of struck-out text over several lines are on
// each line, as lines are converted one by one.
func strikeEachLine(src string) string {
	var out strings.Builder
	for room := maxStruckMarks; ; {
		m := struckStart.FindStringSubmatchIndex(src)
		if m == nil || room <= 0 {
			out.WriteString(src)
			return out.String()
		}
		start, mark := src[m[0]:m[1]], src[m[2]:m[3]]
		out.WriteString(src[:m[1]])
		src = src[m[1]:]
		inner, _, isClosed := strings.Cut(src[:min(len(src), maxStruckText)], mark)
		room -= (len(mark) + len(start)) * strings.Count(inner, "\n")
		if isClosed && !strings.Contains(inner, "\n\n") && room > 0 {
			out.WriteString(strings.ReplaceAll(inner, "\n", mark+"\n"+start))
			src = src[len(inner):]
		}
	}
}

// attributeReference matches a reference to an attribute, such as {name}.
var attributeReference = lazyregexp.New(`\\?\{([A-Za-z0-9_][A-Za-z0-9_-]*)\}`)

// characterAttributes are the predefined attributes that stand for characters.
var characterAttributes = map[string]string{
	"nbsp": " ", "sp": " ", "empty": "", "blank": "", "zwsp": "", "wj": "", "plus": "+", "amp": "&", "lt": "<", "gt": ">", "apos": "'", "quot": `"`,
	"lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°", "brvbar": "¦", "vbar": "|", "startsb": "[", "endsb": "]", "caret": "^",
	"asterisk": "*", "tilde": "~", "backslash": `\`, "backtick": "`", "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "cxx": "C++", "pp": "++",
}

// convertInline returns a part of a line with attributes and inline macros replaced by their texts.
func (r *reader) convertInline(s string) string {
	if len(s) > maxLine {
		return s
	}
	if strings.IndexByte(s, '{') >= 0 {
		room := maxLine - len(s) // number of bytes by which substituted values may lengthen the line
		s = attributeReference.ReplaceAllStringFunc(s, func(ref string) string {
			value := r.attributeValue(ref)
			if room -= len(value) - len(ref); room < 0 {
				return ref
			}
			return value
		})
	}
	s = markdown.EscapeTildes(s)
	if !strings.ContainsAny(s, ":<([+`") {
		return s
	}
	for _, w := range macroRules() {
		if strings.Contains(s, w.mark) {
			s = w.macro.ReplaceAllString(s, w.replacement)
		}
	}
	return s
}

// attributeValue returns the value of an attribute, or the reference itself if the attribute is not
// defined.
func (r *reader) attributeValue(ref string) string {
	if ref[0] == '\\' {
		return ref[1:]
	}
	name := strings.ToLower(strings.Trim(ref, "{}"))
	if value, ok := r.attributes[name]; ok {
		return value
	}
	if value, ok := characterAttributes[name]; ok {
		return value
	}
	return ref
}
