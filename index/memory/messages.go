package memory

import (
	"context"
	"maps"

	"vademecum/index/catalog"
)

// values are the values of the folder.
type values struct{ *Catalog }

func (c values) ModelKey(of string) string { return of + " of model " + c.model }

func (c values) Get(_ context.Context, key string) (string, error) {
	defer c.lockForReading()()
	return c.Folder.values[key], nil
}

func (c values) Set(ctx context.Context, key, value string) error {
	return c.commitOther(ctx, func() { c.Folder.values[key] = value })
}

// message is a request with its response, "" until there is one.
type message struct{ request, answer string }

// keepRequests is how many answered requests are kept for the processes that made them.
const keepRequests = 100

// mailbox is the mailbox of the processes that have the folder open.
type mailbox struct{ *Catalog }

func (c mailbox) SubmitRequest(ctx context.Context, request string) (number int64, err error) {
	err = c.commitOther(ctx, func() {
		c.lastRequest++
		number = c.lastRequest
		c.requests[number] = message{request: request}
	})
	return number, err
}

func (c mailbox) PendingRequests(context.Context) (map[int64]string, error) {
	defer c.lockForReading()()
	all := make(map[int64]string)
	for number, m := range c.requests {
		if m.answer == "" {
			all[number] = m.request
		}
	}
	return all, nil
}

func (c mailbox) UpdateRequest(ctx context.Context, number int64, request string) (asked bool, err error) {
	err = c.commitOther(ctx, func() {
		m, there := c.requests[number]
		if asked = there && m.answer == ""; asked {
			c.requests[number] = message{request: request}
		}
	})
	return asked, err
}

func (c mailbox) AnswerRequest(ctx context.Context, number int64, answer string) error {
	return c.commitOther(ctx, func() {
		if m, there := c.requests[number]; there {
			c.requests[number] = message{m.request, answer}
		}
		maps.DeleteFunc(c.requests, func(n int64, m message) bool { return m.answer != "" && n < number-keepRequests })
	})
}

func (c mailbox) ReadAnswer(_ context.Context, number int64) (string, error) {
	defer c.lockForReading()()
	m, there := c.requests[number]
	if !there {
		return "", catalog.ErrRequestNotFound
	}
	return m.answer, nil
}

func (c mailbox) CancelRequest(ctx context.Context, number int64) error {
	return c.commitOther(ctx, func() { delete(c.requests, number) })
}
