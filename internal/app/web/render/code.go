package render

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// codeSpan is a part of code that is highlighted, with its CSS class.
type codeSpan struct {
	Range
	class string
}

// classAt returns the CSS class of the code at an offset, and lowers end to where the part with
// that class ends.
func (w *writer) classAt(at int, end *int) string {
	for len(w.colours) > 0 && w.colours[0].To <= at {
		w.colours = w.colours[1:]
	}
	if len(w.colours) == 0 || w.colours[0].From >= *end {
		return ""
	}
	c := w.colours[0]
	if c.From > at {
		*end = c.From
		return ""
	}
	*end = min(*end, c.To)
	return c.class
}

// writeCode writes lines of code.
func (w *writer) writeCode(class string, ranges []Range, language string) {
	if len(ranges) == 0 {
		return
	}
	w.writeMarkup(`<pre class="`, strings.TrimSpace("code "+class), `"`)
	if class == "front" { // a block that scrolls must be reachable by keyboard
		w.writeMarkup(` tabindex="0"`)
	}
	w.writeMarkup(`><code>`)
	w.isCode, w.colours = true, highlight(w.Body, ranges, language)
	for _, r := range ranges {
		for at := r.From; at < r.To; {
			end := r.To
			if n := strings.IndexByte(w.Body[at:r.To], '\n'); n >= 0 {
				end = at + n
			}
			w.writeMarkup("<span")
			w.writePosition(at, end+1, "")
			w.writeMarkup(">")
			if at == end {
				w.writeAnchorsUpTo(at + 1)
			}
			w.writeCodeLine(at, end)
			w.writeMarkup("</span>\n")
			at = end + 1
		}
	}
	w.isCode, w.colours = false, nil
	w.writeMarkup("</code></pre>\n")
}

// codeLink is a link in code, with its opening HTML tag.
type codeLink struct {
	Range
	tag string
}

// frontLink matches what may be a link in front matter: a text in double brackets, or a web
// address. Compiling it takes 3 ms, which must not delay the start of the program.
var frontLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[\[[^\[\]\n]{1,1000}\]\]|https?://[^\s"'<>\[\]]{1,1000}`)
})

// linksOf returns the links in a range of front matter.
func (w *writer) linksOf(r Range) (all []codeLink) {
	for _, m := range frontLink().FindAllStringIndex(w.Body[r.From:r.To], -1) {
		l := codeLink{Range: Range{r.From + m[0], r.From + m[1]}}
		text := w.Body[l.From:l.To]
		if inner, isWiki := strings.CutPrefix(text, "[["); isWiki {
			target, _, _ := strings.Cut(strings.TrimSuffix(inner, "]]"), "|")
			to, fragment, _ := strings.Cut(target, "#")
			l.tag = w.documentLinkTag(Link{Target: strings.TrimSpace(to), Fragment: strings.TrimSpace(fragment), IsWiki: true})
		} else {
			l.tag = w.linkTag(text)
		}
		if l.tag != "" {
			all = append(all, l)
		}
	}
	return all
}

// writeCodeLine writes a line of code with its links.
func (w *writer) writeCodeLine(from, to int) {
	for ; len(w.codeLinks) > 0 && w.codeLinks[0].To <= to; w.codeLinks = w.codeLinks[1:] {
		l := w.codeLinks[0]
		w.writeText(from, l.From, false)
		w.writeAnchorsUpTo(l.To) // links must not contain anchors
		w.writeMarkup(l.tag)
		w.writeText(l.From, l.To, false)
		w.writeMarkup("</a>")
		from = l.To
	}
	w.writeText(from, to, false)
}

// syntax is the lexical syntax that a group of programming languages share.
type syntax struct {
	line     []string // what begins a comment that ends with the line
	from, to string   // what begins and ends a comment of several lines; "" for none
	quotes   string   // characters that begin and end strings
	isData   bool     // a data format, in which a word before a colon or equals sign is a key
}

var (
	likeC      = syntax{line: []string{"//"}, from: "/*", to: "*/", quotes: "\"'`"}
	likeShell  = syntax{line: []string{"#"}, quotes: "\"'`"}
	likeData   = syntax{line: []string{"#"}, quotes: "\"'", isData: true}
	likeSQL    = syntax{line: []string{"--"}, from: "/*", to: "*/", quotes: "'\""}
	likeLisp   = syntax{line: []string{";"}, quotes: `"`}
	likeMarkup = syntax{from: "<!--", to: "-->", quotes: `"`}
)

// syntaxes holds the languages that are highlighted, by name and file extension.
var syntaxes = sync.OnceValue(func() map[string]syntax {
	all := make(map[string]syntax)
	for names, s := range map[string]syntax{
		"c h cpp c++ cc hpp cs csharp java js javascript jsx mjs ts typescript tsx go golang rust rs swift kotlin kt scala php dart groovy gradle proto less scss css vue json jsonc json5 solidity zig objc": likeC,
		"sh bash shell zsh fish console py python python3 rb ruby perl pl r make makefile dockerfile docker cmake elixir ex exs powershell ps1 nim julia tcl awk vim":                                         likeShell,
		"yaml yml toml ini properties conf env cfg":                              likeData,
		"sql mysql postgresql postgres sqlite plsql lua haskell hs elm ada vhdl": likeSQL,
		"lisp clojure clj scheme scm elisp el asm":                               likeLisp,
		"html xml svg htm xhtml markdown md":                                     likeMarkup,
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = s
		}
	}
	return all
})

// keywords are the keywords of all languages together.
var keywords = sync.OnceValue(func() map[string]bool {
	all := make(map[string]bool)
	for word := range strings.FieldsSeq(`abstract alias all and any as assert async await base begin bool boolean break by byte case catch chan char class const constexpr continue
		create def default defer defmodule del delete desc distinct do done double drop elif else elsif elseif end ensure enum esac except exec export extends extern fallthrough false fi final finally float fn for foreach from func
		function global go goto grant group having if impl implements import in index inner insert instanceof int interface into internal is join key lambda left let limit local long loop map match mod module mut namespace native
		new nil none not null nullptr object of on or order outer override package pass primary private protected pub public raise range readonly record ref require rescue return right select self set short signed sizeof static
		string struct super switch table template then this throw throws trait true try type typedef typeof undefined union unique unless unsafe unsigned until update use using val values var view virtual void volatile when where
		while with yield`) {
		all[word] = true
	}
	return all
})

// IsCodeExtension reports whether files with an extension, given without its dot, contain code or data that
// is highlighted.
func IsCodeExtension(extension string) bool {
	_, known := syntaxes()[extension]
	return known
}

// highlight finds the comments, strings, numbers and keywords in lines of code. It reads the lines
// once, and knows only the lexical syntax of the language.
func highlight(body string, ranges []Range, language string) (all []codeSpan) {
	language, _, _ = strings.Cut(strings.ToLower(language), "{")
	s, known := syntaxes()[strings.Trim(language, " .:,")]
	if !known {
		return nil
	}
	open := "" // end delimiter of the current comment or string
	class := ""
	for _, r := range ranges {
		for at := r.From; at < r.To; {
			n, next, c := s.nextToken(body[at:r.To], at == r.From || body[at-1] == '\n' || body[at-1] == ' ' || body[at-1] == '\t', open)
			if open != "" {
				c = class
			}
			if open, class = next, c; c != "" {
				all = append(all, codeSpan{Range{at, at + n}, c})
			}
			at += n
		}
	}
	return slices.Clip(all)
}

// nextToken returns the length of the token with which a text begins, its class, and the delimiter
// that ends it if that is not in the text. If open is not "", the text begins within a comment or
// string, and only that end delimiter is looked for.
func (s syntax) nextToken(text string, isFree bool, open string) (n int, next, class string) {
	if open != "" {
		if i := strings.Index(text, open); i >= 0 {
			return i + len(open), "", ""
		}
		return len(text), open, ""
	}
	for _, mark := range s.line {
		if strings.HasPrefix(text, mark) && (isFree || mark == "//") {
			return strings.IndexByte(text+"\n", '\n'), "", "comment"
		}
	}
	if s.from != "" && strings.HasPrefix(text, s.from) {
		if i := strings.Index(text[len(s.from):], s.to); i >= 0 {
			return len(s.from) + i + len(s.to), "", "comment"
		}
		return len(text), s.to, "comment"
	}
	c, _ := utf8.DecodeRuneInString(text)
	switch {
	case strings.ContainsRune(s.quotes, c):
		return quotedLength(text), "", "string"
	case '0' <= c && c <= '9':
		return prefixLength(text, func(r rune) bool { return r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }), "", "number"
	case isWordRune(c):
		n = prefixLength(text, isWordRune)
		rest := strings.TrimLeft(text[n:], " ")
		switch {
		case s.isData && isFree && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "=")):
			return n, "", "name"
		case keywords()[strings.ToLower(text[:n])] && !s.isData && s.from != "<!--":
			return n, "", "keyword"
		}
		return n, "", ""
	}
	return max(utf8.RuneLen(c), prefixLength(text, unicode.IsSpace)), "", ""
}

// longestString is how far, in bytes, the end of a string is searched for.
const longestString = 1 << 10

// quotedLength returns the length of the string with which a text begins: up to the closing
// quotation mark in the same line or, if it begins with three marks, up to the next three. Without
// closing marks, only the opening ones count.
func quotedLength(text string) int {
	mark := text[:1]
	if strings.HasPrefix(text, mark+mark+mark) {
		if i := strings.Index(text[3:], mark+mark+mark); i >= 0 {
			return i + 6
		}
		return 3
	}
	for i := 1; i < min(len(text), longestString) && (text[i] != '\n' || mark == "`"); i++ {
		switch text[i] {
		case '\\':
			i++
		case mark[0]:
			return i + 1
		}
	}
	return 1
}

// prefixLength returns the length in bytes of the longest prefix whose characters all satisfy of.
func prefixLength(text string, of func(rune) bool) int {
	for i, r := range text {
		if !of(r) {
			return i
		}
	}
	return len(text)
}

func isWordRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
