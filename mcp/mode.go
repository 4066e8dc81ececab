package mcp

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/internal/base/message"
)

// ResultsMode is the form in which tools return passages. As text, a passage follows its citation;
// as a resource, it is a content block of its own.
type ResultsMode string

const (
	ResultsAuto     ResultsMode = "auto"     // chosen by the name of the client
	ResultsText     ResultsMode = "text"     // one text block
	ResultsResource ResultsMode = "resource" // citation as text, passage as an embedded resource
	ResultsBoth     ResultsMode = "both"     // one text block, then each passage as an embedded resource
)

// ParseResultsMode parses the value of a flag.
func ParseResultsMode(value string) (ResultsMode, error) {
	switch m := ResultsMode(value); m {
	case ResultsAuto, ResultsText, ResultsResource, ResultsBoth:
		return m, nil
	}
	return "", message.Errorf("unknown results mode %q: choose auto, text, resource or both", value)
}

// modeFor returns the form for a client. If it is not known which form the client passes to its
// model, passages are returned in both, so that none is lost.
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
