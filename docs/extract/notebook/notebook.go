// Package notebook reads Jupyter notebooks: text, code, and output.
package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

const maxOutput = 4 << 10 // maximum bytes of the text of one output

var errDamaged = extract.Skip("damaged notebook")

// A notebook is a Jupyter notebook, of nbformat 4 or 3
// (https://nbformat.readthedocs.io).
type notebook struct {
	Cells      []cell
	Worksheets []struct{ Cells []cell } // in version 3, the sheets whose cells replace Cells
	Metadata   struct {
		Title        multiline
		KernelSpec   struct{ Language multiline } `json:"kernelspec"`
		LanguageInfo struct{ Name multiline }     `json:"language_info"`
	}
}

type cell struct {
	Type     multiline `json:"cell_type"`
	Source   multiline
	Input    multiline   // in version 3, the code of a code cell, in place of Source
	Language multiline   // in version 3, the language of a code cell
	Level    json.Number // in version 3, the level of a heading cell
	Outputs  []cellOutput
}

type cellOutput struct {
	Text      multiline // text of a stream or, in version 3, of any output
	Data      map[string]multiline
	PNG       multiline // in version 3, a picture
	JPEG      multiline // in version 3, a picture
	Name      multiline `json:"ename"`
	Value     multiline `json:"evalue"`
	Traceback multiline
}

// A multiline is a string, which may be stored as a list of its lines. Other values decode to "",
// as outputs may have any type.
type multiline string

func (t *multiline) UnmarshalJSON(raw []byte) error {
	var lines []string
	switch raw[0] {
	case '"':
		lines = make([]string, 1)
		_ = json.Unmarshal(raw, &lines[0]) // cannot fail for a string
	case '[':
		_ = json.Unmarshal(raw, &lines) // values that are not strings stay empty
	}
	*t = multiline(strings.Join(lines, ""))
	return nil
}

// Read reads a Jupyter notebook: text, code and output. encoding/json limits the nesting depth.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	var n notebook
	err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\uFEFF")), &n)
	if odd := new(json.UnmarshalTypeError); err != nil && !errors.As(err, &odd) {
		return extract.Content{}, errDamaged
	}
	cells := n.Cells
	for _, s := range n.Worksheets {
		cells = append(cells, s.Cells...)
	}
	if cells == nil {
		return extract.Content{}, errDamaged
	}
	language := string(n.Metadata.LanguageInfo.Name)
	if language == "" {
		language = string(n.Metadata.KernelSpec.Language)
	}
	var w markdown.Writer
	for i := range cells {
		cells[i].write(&w, i+1, language)
	}
	c, err := w.Content()
	c.Title = markdown.OneLine(string(n.Metadata.Title))
	return c, err
}

// write writes the cell as a part of the text, unless it is blank.
func (c *cell) write(w *markdown.Writer, number int, language string) {
	w.EndBlock()
	start := w.Text.Len()
	switch c.Type {
	case "code":
		if c.Language != "" {
			language = string(c.Language)
		}
		w.WriteCodeBlock(markdown.OneLine(language), cleanTerminalOutput(string(c.Source+c.Input)))
	case "raw":
		w.WriteCodeBlock("", cleanTerminalOutput(string(c.Source)))
	case "heading":
		level, _ := c.Level.Int64()
		w.WriteHeading(int(level), string(c.Source))
	default:
		writeMarkdown(w, string(c.Source))
	}
	for i := range c.Outputs {
		c.Outputs[i].write(w)
	}
	if w.Text.Len() > start {
		w.Parts = append(w.Parts, extract.Part{Kind: extract.NotebookCell, Number: number, StartByte: start})
	}
}

func (o *cellOutput) write(w *markdown.Writer) {
	if s := o.Data["text/markdown"]; s != "" {
		writeMarkdown(w, cutOutput(string(s)))
		return
	}
	w.WriteCodeBlock("", cutOutput(cleanTerminalOutput(o.outputText())))
}

// outputText returns the text of an output. The text of a picture is dropped, as it only names the
// type of the picture.
func (o *cellOutput) outputText() string {
	if o.Traceback != "" || o.Name != "" {
		return string(o.Name + ": " + o.Value)
	}
	if o.PNG != "" || o.JPEG != "" {
		return ""
	}
	for mime := range o.Data {
		if strings.HasPrefix(mime, "image/") {
			return ""
		}
	}
	if s := o.Data["text/plain"]; s != "" {
		return string(s)
	}
	return string(o.Text + o.Data["text/latex"])
}

// embeddedPicture matches the address of a picture that is embedded in Markdown as data.
var embeddedPicture = lazyregexp.New(`\(data:[a-z]+/[^)]*\)`)

// strongEmphasis matches strong emphasis in Markdown, and also code and formulas, so that asterisks
// in these are not taken for it.
var strongEmphasis = lazyregexp.New("(?s:```.*?```)|`[^`\n]+`|\\$[^$\n]+\\$|\\*\\*([^\\s*](?:[^*\n]*[^\\s*])?)\\*\\*")

// removeStrong removes the markup of strong emphasis, which would split a phrase that is searched
// for.
func removeStrong(text string) string {
	return strongEmphasis.ReplaceAllStringFunc(text, func(s string) string {
		if s[0] != '*' {
			return s
		}
		return s[2 : len(s)-2]
	})
}

// writeMarkdown writes a block of Markdown without embedded pictures and strong emphasis.
func writeMarkdown(w *markdown.Writer, text string) {
	text = strings.Trim(cleanTerminalOutput(removeStrong(embeddedPicture.ReplaceAllString(text, "()"))), "\n")
	if strings.TrimSpace(text) != "" {
		w.EndBlock()
		w.WriteRaw(text + "\n")
	}
}

// terminalSequence matches sequences that switch colours (ECMA-48, control sequences).
var terminalSequence = lazyregexp.New("\x1b\\[[0-9;]*[A-Za-z]")

// cleanTerminalOutput returns s with line feeds between lines and without other control characters
// except tabs. A lone carriage return counts as a line feed: programs use it to show progress.
func cleanTerminalOutput(s string) string {
	s = strings.ReplaceAll(terminalSequence.ReplaceAllString(s, ""), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r < ' ' && r != '\n' && r != '\t':
			return -1
		}
		return r
	}, s)
}

// cutOutput shortens an output to maxOutput.
func cutOutput(s string) string {
	if len(s) <= maxOutput {
		return s
	}
	end := maxOutput
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "\n…"
}
