package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A reading is one file that a child reads, seen by the parent.
type reading struct {
	child  *child
	limits childLimits
	format string // an extension

	over    bool // the child has given its final answer and can take the next file
	dead    bool // the child has died of the file, or of those before
	waiting bool // for an engine to start
	text    strings.Builder
	content Content // what was read so far, but for its Text
	page    int     // how many pages are read
	pages   int     // how many there are
	begun   time.Time
	until   time.Time // when the file has had its time
}

// read sends the file and collects the answers. Unless over is set then, the
// child has ended.
func (r *reading) read(ctx context.Context, raw []byte) (Content, error) {
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		if r.child.requests.Encode(request{Format: r.format, Size: len(raw), Memory: r.limits.memory}) == nil {
			_, _ = r.child.in.Write(raw) // a child that does not take it has died, and answers nothing
		}
	}()
	c, err := r.collect(ctx)
	<-sent
	return c, err
}

func (r *reading) collect(ctx context.Context) (Content, error) {
	r.begin()
	timer := time.NewTimer(r.limits.file)
	defer timer.Stop()
	for {
		timer.Reset(time.Until(r.until))
		select {
		case a, ok := <-r.child.answers:
			if !ok {
				return r.died(r.child.end())
			}
			if r.take(a); a.Kind.final() {
				return r.finish(a)
			}
		case <-timer.C:
			r.child.end()
			return r.expired()
		case <-ctx.Done():
			r.child.end()
			return Content{}, ctx.Err()
		}
	}
}

// begin gives the file its time, from now on.
func (r *reading) begin() {
	r.begun = time.Now()
	r.until = r.begun.Add(r.limits.file)
}

// take takes in what is in an answer.
func (r *reading) take(a answer) {
	r.text.WriteString(a.Text)
	r.content.Parts = append(r.content.Parts, a.Parts...)
	if a.Title != "" {
		r.content.Title = a.Title
	}
	switch a.Kind {
	case preparing:
		r.waiting, r.until = true, time.Now().Add(r.limits.start)
	case prepared:
		r.waiting = false
		r.begin()
	case progress:
		r.page, r.pages = a.Page, a.Pages
		r.earn(a.Text)
	}
}

// earn gives the file more time for a page.
func (r *reading) earn(text string) {
	earned := r.limits.blank
	if text != "" {
		earned = r.limits.page
	}
	r.until = r.until.Add(earned)
	if last := r.begun.Add(r.limits.most); r.until.After(last) {
		r.until = last
	}
}

// finish returns the content, or the error, that a final answer means.
func (r *reading) finish(a answer) (Content, error) {
	if a.Kind == panicked {
		return r.died(r.child.end())
	}
	if a.Kind == failed {
		r.child.end()
		return Content{}, errors.New(a.Reason)
	}
	r.over = true
	if a.Kind == skipped {
		return Content{}, skip("%s", a.Reason)
	}
	a.Content.Text, a.Content.Parts = r.text.String(), r.content.Parts
	return *a.Content, nil
}

// expired returns what is left of a file that has had its time.
func (r *reading) expired() (Content, error) {
	if r.waiting {
		return Content{}, fmt.Errorf("the engine that reads %s did not start within %v", r.format, r.limits.start)
	}
	return r.partly("reading took too long", fmt.Sprintf("takes too long to read (over %v s)", r.limits.file.Seconds()))
}

// died returns what is left of a file whose child ended with that code.
func (r *reading) died(code int) (Content, error) {
	r.dead = true
	if code == exitMemory {
		return r.partly("the rest takes too much memory to read", "takes too much memory to read")
	}
	return r.partly("the rest is damaged", fmt.Sprintf("damaged: the reader of %s failed", r.format))
}

// partly returns the pages that were read and a note why no more were, or an
// error with the reason if there are none.
func (r *reading) partly(why, reason string) (Content, error) {
	c := r.content
	if c.Text = r.text.String(); strings.TrimSpace(c.Text) == "" {
		return Content{}, skip("%s", reason)
	}
	c.Note = fmt.Sprintf("only pages 1 to %d of %d: %s", r.page, r.pages, why)
	return c, nil
}
