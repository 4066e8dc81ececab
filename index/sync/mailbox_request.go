package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"vademecum/index/live"
	"vademecum/index/notice"
)

// Request asks the indexer to bring areas of a folder up to date.
type Request struct {
	Areas []RequestedArea
	Force bool
	// a process has found damage: the index is to be checked for consistency, and nothing else done
	Check bool `json:",omitempty"`
	// number of processes that began to carry it out and did not finish
	Begun int `json:",omitempty"`

	Fault error `json:"-"` // why the request cannot be decoded
}

// Limits on a request: it may have been written by another program.
const (
	longestRequest = 1 << 20 // bytes
	mostRequested  = 10_000  // areas
)

// DecodeRequest decodes the text of a row. Invalid text is a fault of the request, to be reported
// in its answer, and not of the index.
func DecodeRequest(text string) (r Request) {
	if len(text) > longestRequest {
		return Request{Fault: errors.New("the request is too long")}
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return Request{Fault: errors.New("the request cannot be read")}
	}
	if len(r.Areas) > mostRequested {
		return Request{Fault: fmt.Errorf("the request is for %d areas: at most %d", len(r.Areas), mostRequested)}
	}
	for _, a := range r.Areas {
		if a.Base != "" && !filepath.IsLocal(filepath.FromSlash(a.Base)) || !utf8.ValidString(a.Base) {
			return Request{Fault: errors.New("the request leaves the folder")}
		}
	}
	return r
}

type RequestedArea struct{ Base, Glob string }

// Answer is the result of a request.
type Answer struct {
	Report notice.Report // with paths relative to the folder
	Seen   int           // number of files and documents in the areas
	Error  string
}

// SubmitRequest stores a request for the indexer of a folder, and returns its number.
func SubmitRequest(ctx context.Context, c *live.Follower, r Request) (number int64, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	return c.Mailbox().SubmitRequest(ctx, string(text))
}

// UpdateRequest changes a waiting request; asked is false if it is no longer waiting.
func UpdateRequest(ctx context.Context, c *live.Follower, number int64, r Request) (asked bool, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return false, err
	}
	return c.Mailbox().UpdateRequest(ctx, number, string(text))
}

// AnswerRequest stores the answer to a request.
func AnswerRequest(ctx context.Context, c *live.Follower, number int64, a Answer) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return c.Mailbox().AnswerRequest(ctx, number, string(text))
}
