package web

import (
	"context"
	"errors"

	"vademecum/mcp"
)

// noTexts is a library that takes no texts: those of one user would be found by the
// others.
type noTexts struct{ mcp.Library }

// WithoutTexts keeps users from putting texts beside the documents of others.
func WithoutTexts(library mcp.Library) mcp.Library { return noTexts{library} }

var errNoTexts = errors.New("this server is for several users and takes no texts: put the documents into the folder instead")

// AddTexts refuses them.
func (noTexts) AddTexts(context.Context, []string, chan<- int) (found, added int, err error) {
	return 0, 0, errNoTexts
}
