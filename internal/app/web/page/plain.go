package page

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/struck"
	"vademecum/internal/base/lazyregexp"
)

// plainMarkdown parses the Markdown of passages.
var plainMarkdown = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()
})

// plainText returns the text of a passage for people to skim: without Markdown syntax and empty
// lines, and with one line for each paragraph, list item, table row and line of code.
func plainText(source, mime string) string {
	if mime == "text/markdown" {
		p := plainWriter{source: []byte(strings.ReplaceAll(source, markdown.LiteralTildes, `\~\~`))} // no marks of a subscript
		p.blocks(plainMarkdown().Parse(text.NewReader(p.source)), "")
		return strings.Join(p.lines, "\n")
	}
	var lines []string
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, " \t\r\n")
		switch n := len(lines) - 1; {
		case mime == "text/plain" && n >= 0 && goesOn(lines[n], line):
			lines[n] = joined(lines[n], line)
		case len(line) < shortestRule || strings.ContainsFunc(line, saysSomething):
			lines = append(lines, line)
		}
	}
	return strings.Join(withoutEmpty(lines), "\n")
}

const (
	wrappedFrom  = 50 // minimum length in bytes of a line that may have been wrapped
	shortestRule = 4  // minimum number of characters in a horizontal rule, or in the underline of a heading
)

func saysSomething(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

// fieldName matches the beginning of a line that has a name and a value.
var fieldName = lazyregexp.New(`^[\pL\d_-]+[:=]`)

// goesOn reports whether a line continues the line before it, which was wrapped.
func goesOn(before, line string) bool {
	c, _ := utf8.DecodeRuneInString(line)
	return len(before) >= wrappedFrom && (unicode.IsLower(c) || isWide(c)) && !fieldName.MatchString(line)
}

// joined appends a line to a text, without a space between characters of scripts that use none.
func joined(before, line string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(line)
	if before == "" || line == "" || isWide(last) && isWide(first) {
		return before + line
	}
	return before + " " + line
}

// isWide reports whether a character is as wide as two letters and belongs to a script without
// spaces.
func isWide(c rune) bool {
	return 0x2e80 <= c && c <= 0x9fff || 0xf900 <= c && c <= 0xfaff || 0xff01 <= c && c <= 0xff60 || c >= 0x20000
}

func withoutEmpty(lines []string) (some []string) {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			some = append(some, line)
		}
	}
	return some
}

// plainWriter converts blocks of Markdown to plain lines.
type plainWriter struct {
	source []byte
	lines  []string
}

// blocks writes the blocks in a node; mark is put before their first line.
func (p *plainWriter) blocks(parent ast.Node, mark string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		before := len(p.lines)
		switch n := n.(type) {
		case *ast.List:
			p.list(n)
		case *tables.Table:
			p.blocks(n, "")
		case *tables.TableHeader, *tables.TableRow:
			p.row(n)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			p.add(string(n.Lines().Value(p.source)))
		case *ast.HTMLBlock:
			p.add(tags.ReplaceAllString(string(n.Lines().Value(p.source)), ""))
		default:
			if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
				p.blocks(n, "")
			} else {
				p.paragraph(n)
			}
		}
		if len(p.lines) > before && mark != "" {
			p.lines[before] = mark + p.lines[before]
			mark = ""
		}
	}
}

// tags matches HTML tags, which plain text omits.
var tags = lazyregexp.New(`<[^<>]*>`)

// add adds the lines of a text unchanged, without empty ones.
func (p *plainWriter) add(text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); strings.TrimSpace(line) != "" {
			p.lines = append(p.lines, line)
		}
	}
}

func (p *plainWriter) list(n *ast.List) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		p.blocks(item, mark)
	}
}

// row writes the cells of a table row as one line.
func (p *plainWriter) row(n ast.Node) {
	var cells []string
	for cell := n.FirstChild(); cell != nil; cell = cell.NextSibling() {
		cells = append(cells, p.inline(cell))
	}
	p.add(strings.Join(withoutEmpty(cells), " · "))
}

// paragraph writes a paragraph, or the rows of a table whose header is not part of the passage.
func (p *plainWriter) paragraph(n ast.Node) {
	if lines := n.Lines(); lines != nil && lines.Len() > 0 {
		if first := lines.At(0); strings.HasPrefix(strings.TrimSpace(string(first.Value(p.source))), "|") {
			for i := range lines.Len() {
				line := lines.At(i)
				p.add(plainText(withoutPipes(string(line.Value(p.source))), "text/markdown"))
			}
			return
		}
	}
	p.add(p.inline(n))
}

// withoutPipes returns a row of a Markdown table with dots instead of pipes between its cells.
func withoutPipes(row string) string {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(row), "|"), "|") {
		if cell = strings.TrimSpace(cell); strings.Trim(cell, "-: ") != "" {
			cells = append(cells, cell)
		}
	}
	return strings.Join(cells, " · ")
}

// wikiLink matches a link between notes: [[note]] or [[note|label]].
var wikiLink = lazyregexp.New(`!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]`)

// highlightMark matches text that its author has highlighted: ==this==.
var highlightMark = lazyregexp.New(`(^|[^=\w])==([^\s=](?:[^=]*[^\s=])?)==`)

// calloutMark matches the kind of a callout: [!warning].
var calloutMark = lazyregexp.New(`^\[![\pL-]{1,36}\][-+]? ?`)

// inline returns the text within a block as one line.
func (p *plainWriter) inline(n ast.Node) string {
	var out strings.Builder
	p.span(&out, n)
	line := strings.Join(strings.Fields(out.String()), " ")
	if _, isQuoted := n.Parent().(*ast.Blockquote); isQuoted && n.PreviousSibling() == nil {
		line = calloutMark.ReplaceAllString(line, "")
	}
	return highlightMark.ReplaceAllString(wikiLink.ReplaceAllString(line, "$1"), "$1$2")
}

func (p *plainWriter) span(out *strings.Builder, parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(p.source)
			if _, isCode := parent.(*ast.CodeSpan); !isCode {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			out.Write(value)
			if next, ok := n.NextSibling().(*ast.Text); n.SoftLineBreak() || n.HardLineBreak() {
				last, _ := utf8.DecodeLastRune(value)
				first := rune(0)
				if ok {
					first, _ = utf8.DecodeRune(next.Value(p.source))
				}
				if !isWide(last) || !isWide(first) {
					out.WriteByte(' ')
				}
			}
		case *ast.String:
			out.Write(n.Value)
		case *ast.AutoLink:
			out.Write(n.Label(p.source))
		case *ast.RawHTML:
			out.WriteByte(' ')
		case *tables.Strikethrough: // what no longer holds must not look as if it did
			mark := p.strikeMark(n)
			out.WriteString(mark)
			p.span(out, n)
			out.WriteString(mark)
		default:
			p.span(out, n)
		}
	}
}

// strikeMark returns the mark of struck-out text; "" for text between single tildes, such as the 2 of H~2~O.
func (p *plainWriter) strikeMark(n ast.Node) string {
	for ; n != nil; n = n.FirstChild() {
		if t, ok := n.(*ast.Text); ok && strings.HasSuffix(strings.TrimRight(string(p.source[:t.Segment.Start]), "*_`["), struck.Mark) {
			return struck.Mark
		}
	}
	return ""
}

// plainHeading returns a heading for display beside a passage: without Markdown syntax and, if it
// is a table row, with dots between its cells.
func plainHeading(heading string) string {
	heading = strings.TrimSpace(heading)
	if strings.HasPrefix(heading, "|") {
		heading = withoutPipes(heading)
	}
	lines := strings.SplitN(plainText(heading, "text/markdown"), "\n", 2)
	return strings.TrimPrefix(lines[0], "• ")
}
