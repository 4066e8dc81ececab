package mcp

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

// ResultsMode says in which form passages are returned.
type ResultsMode string

const (
	ResultsAuto     ResultsMode = "auto"     // by the client's name
	ResultsText     ResultsMode = "text"     // one block of text with the passages
	ResultsResource ResultsMode = "resource" // a list, and each passage as an embedded resource
	ResultsBoth     ResultsMode = "both"     // the passages in the text and as embedded resources
)

// ParseResultsMode checks the value of a flag.
func ParseResultsMode(value string) (ResultsMode, error) {
	switch m := ResultsMode(value); m {
	case ResultsAuto, ResultsText, ResultsResource, ResultsBoth:
		return m, nil
	}
	return "", fmt.Errorf("unknown results mode %q: choose auto, text, resource or both", value)
}

// hosts tells what clients make of a tool's result, by a part of the name that
// they give in lower case. Those that give the model both forms get only one,
// so that it does not read each passage twice; those that drop or garble
// embedded resources get the text; all others get both.
var hosts = []struct {
	name string
	mode ResultsMode
}{
	{"claude-ai", ResultsResource},
	{"claude-code", ResultsResource},
	{"gemini-cli", ResultsResource},
	{"visual studio code", ResultsText},
	{"cursor", ResultsText},
	{"zed", ResultsText},
	{"codex", ResultsText},
	{"cline", ResultsText},
	{"openai", ResultsText},
}

// of settles auto for a client.
func (m ResultsMode) of(client *mcp.Implementation) ResultsMode {
	if m != ResultsAuto {
		return m
	}
	if client != nil {
		for _, h := range hosts {
			if strings.Contains(strings.ToLower(client.Name), h.name) {
				return h.mode
			}
		}
	}
	return ResultsBoth
}

// textBudget is how much passage text one result carries, in bytes: about
// 8,000 tokens. What is over is listed without its text.
const textBudget = 30_000

// render makes the result of a search: one block that a person can read, then
// the passages as embedded resources.
func (m ResultsMode) render(a index.Answer) *mcp.CallToolResult {
	var out strings.Builder
	var resources []mcp.Content
	if len(a.Passages) == 0 {
		out.WriteString(a.Nothing() + " Ask in other words, or see with list_docs what there is.\n")
	}
	left := textBudget
	for i, p := range a.Passages {
		fits := i == 0 || len(p.Text) <= left
		if fits {
			left -= len(p.Text)
		}
		writeHeader(&out, i+1, p)
		switch {
		case !fits:
			fmt.Fprintf(&out, "(left out to keep the answer short: read_doc with uri %s shows it)\n", p.URI)
		case m == ResultsResource:
			resources = append(resources, embedded(i+1, p))
		default:
			out.WriteString(p.Text + "\n")
			if m != ResultsText {
				resources = append(resources, embedded(i+1, p))
			}
		}
		out.WriteString("\n")
	}
	for _, note := range a.Notes {
		out.WriteString("Note: " + note + "\n")
	}
	content := []mcp.Content{&mcp.TextContent{Text: strings.TrimSpace(out.String())}}
	return &mcp.CallToolResult{Content: append(content, resources...)}
}

// writeHeader tells where a passage stands.
func writeHeader(out *strings.Builder, rank int, p index.Passage) {
	fmt.Fprintf(out, "[%d] %s", rank, Citation(p))
	if p.Title != "" {
		fmt.Fprintf(out, " — %s", oneLine(p.Title))
	}
	fmt.Fprintf(out, " (score %.2f%s)\n", p.Score, foundBy(p))
	if len(p.Heading) > 0 {
		fmt.Fprintf(out, "under: %s\n", oneLine(strings.Join(p.Heading, " > ")))
	}
	if len(p.Copies) > 0 {
		fmt.Fprintf(out, "same text in: %s\n", oneLine(strings.Join(p.Copies, "; ")))
	}
	fmt.Fprintf(out, "uri: %s\n", p.URI)
}

// foundBy tells which of the lists found a passage, and at which place.
func foundBy(p index.Passage) string {
	out := ""
	if p.LexicalRank > 0 {
		out += fmt.Sprintf("; words #%d", p.LexicalRank)
	}
	if p.VectorRank > 0 {
		out += fmt.Sprintf("; vectors #%d", p.VectorRank)
	}
	return out
}

// Citation is a passage's path and place, such as "notes/a.md, lines 12-40".
func Citation(p index.Passage) string { return oneLine(p.Path + ", " + p.Place) }

// oneLine keeps names with line breaks or other control characters in their
// line.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, name)
}

// embedded is the passage as a resource with what is known of it.
func embedded(rank int, p index.Passage) *mcp.EmbeddedResource {
	meta := mcp.Meta{
		"rank": rank, "score": p.Score, "path": p.Path, "title": p.Title,
		"place": p.Place, "startLine": p.StartLine, "endLine": p.EndLine,
		"lexicalRank": p.LexicalRank, "vectorRank": p.VectorRank,
	}
	if len(p.Heading) > 0 {
		meta["headingPath"] = p.Heading
	}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: p.URI, MIMEType: p.TextMIME, Text: p.Text, Meta: meta}}
}
