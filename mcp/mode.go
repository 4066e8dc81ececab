package mcp

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/internal/base/message"
)

// ResultsMode is the form in which passages are returned. Where a passage is text it follows
// its citation; as a resource it stands alone.
type ResultsMode string

const (
	ResultsAuto     ResultsMode = "auto"     // chosen by the client's name
	ResultsText     ResultsMode = "text"     // one block of text
	ResultsResource ResultsMode = "resource" // the citation as text, the passage as an embedded resource
	ResultsBoth     ResultsMode = "both"     // one block of text, and then each passage as an embedded resource
)

// ParseResultsMode parses the value of a flag.
func ParseResultsMode(value string) (ResultsMode, error) {
	switch m := ResultsMode(value); m {
	case ResultsAuto, ResultsText, ResultsResource, ResultsBoth:
		return m, nil
	}
	return "", message.Errorf("unknown results mode %q: choose auto, text, resource or both", value)
}

// modeFor returns the form for a client. A client gets both forms unless it is known which of them
// it passes to its model, so that no passage is lost.
func (s *Server) modeFor(client *mcp.Implementation) ResultsMode {
	if s.results != ResultsAuto {
		return s.results
	}
	if client == nil {
		return ResultsBoth
	}
	switch reads, isKnown := s.reads(client.Name); {
	case !isKnown:
		return ResultsBoth
	case reads:
		return ResultsResource
	}
	return ResultsText
}
