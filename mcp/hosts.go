package mcp

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ResultsMode says in which form passages are returned. In each of them a
// passage follows its citation.
type ResultsMode string

const (
	ResultsAuto     ResultsMode = "auto"     // by the client's name
	ResultsText     ResultsMode = "text"     // all in one block of text
	ResultsResource ResultsMode = "resource" // the citation as text, the passage as an embedded resource
	ResultsBoth     ResultsMode = "both"     // the citation and the passage as text, and the passage as an embedded resource
)

// ParseResultsMode checks the value of a flag.
func ParseResultsMode(value string) (ResultsMode, error) {
	switch m := ResultsMode(value); m {
	case ResultsAuto, ResultsText, ResultsResource, ResultsBoth:
		return m, nil
	}
	return "", fmt.Errorf("unknown results mode %q: choose auto, text, resource or both", value)
}

// host is a program that asks for passages, and the form in which its model
// gets all of them once.
type host struct {
	name     string // a part of the name that it gives, in lower case
	mode     ResultsMode
	evidence string
}

// hosts are those of which it is known what they give their model. "Run" means
// that the version named was driven with a scripted model, and what reached the
// model looked at; the rest is from the programs' source and issues.
var hosts = []host{
	{"claude-ai", ResultsResource, "issues: an embedded text reaches the model"},
	{"claude-code", ResultsResource, "run, 2.1.197: text, then the passage's text under its URI"},
	{"gemini-cli", ResultsResource, "run, 0.61.0: text, then the passage's text without its URI"},
	{"opencode", ResultsResource, "run, 1.18.33: text, then the passage's text without its URI"},
	{"qwen-cli", ResultsResource, "run, 0.15.10: text, then the passage's text without its URI"},
	{"ai-sdk-mcp-client", ResultsResource, "run: text and the passage's text"},
	{"codex", ResultsText, "run, 0.169.0: an embedded resource arrives as a string of JSON, _meta included"},
	{"visual studio code", ResultsText, "issues: dropped, or turned into a pointer to the file"},
	{"cursor", ResultsText, "issues: not shown by several versions"},
	{"zed", ResultsText, "source: embedded resources are left out"},
	{"cline", ResultsText, "source: an embedded resource arrives as JSON"},
	{"openai", ResultsText, "source: an embedded resource arrives as JSON"},
}

// of settles auto for a client. One that is not known gets both forms, so that
// whatever it leaves out, no passage is lost.
func (m ResultsMode) of(client *mcp.Implementation) ResultsMode {
	if m != ResultsAuto {
		return m
	}
	if client == nil {
		return ResultsBoth
	}
	name := strings.ToLower(client.Name)
	for _, h := range hosts {
		if strings.Contains(name, h.name) {
			return h.mode
		}
	}
	return ResultsBoth
}
