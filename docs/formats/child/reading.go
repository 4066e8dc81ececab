package child

import (
	"context"
	"strings"
	"time"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// A reading is the reading or drawing of one file by a child, from the parent's point of view.
type reading struct {
	child  *process
	limits limits
	asked  request

	// patience is the factor by which the time limits of the file are raised: 1 at first, more when
	// the file is retried because its reader got too little processor time.
	patience int

	over            bool // whether the child process has sent its final answer and can take the next file
	dead            bool // whether the child process has died because of this file or an earlier one
	hadTooLittleCPU bool // whether time ran out although the reader had used little processor time
	waiting         bool // whether the child process waits for an engine to start
	text            strings.Builder
	content         extract.Content // content read so far, without Text
	picture         []byte          // the drawn picture
	page            int             // number of pages read
	pages           int             // total number of pages
	begun           time.Time
	until           time.Time     // deadline for the file
	before          time.Duration // processor time that the child process had used before the request
}

// run sends the file to the child process and collects the answers. If it returns and over is
// false, the process has ended.
func (r *reading) run(ctx context.Context, raw []byte) (extract.Content, error) {
	r.asked.Size, r.asked.Memory = len(raw), r.limits.memory
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		if r.child.requests.Encode(r.asked) == nil {
			_, _ = r.child.in.Write(raw) // a child that does not read it has died and will not answer
		}
	}()
	c, err := r.collectAnswers(ctx)
	<-sent
	return c, err
}

func (r *reading) collectAnswers(ctx context.Context) (extract.Content, error) {
	r.startTimer()
	timer := time.NewTimer(time.Until(r.until))
	defer timer.Stop()
	for {
		timer.Reset(time.Until(r.until))
		select {
		case a, ok := <-r.child.answers:
			if !ok {
				return r.crashResult(r.child.kill())
			}
			if r.addAnswer(a); a.Kind >= done {
				return r.resultOf(a)
			}
		case <-timer.C:
			r.child.kill()
			return r.timeoutResult()
		case <-ctx.Done():
			r.child.kill()
			return extract.Content{}, ctx.Err()
		}
	}
}

// startTimer starts the time limit for the file.
func (r *reading) startTimer() {
	r.begun, r.before = time.Now(), r.child.spent
	r.until = r.begun.Add(r.withLoad(r.limits.file))
}

// withLoad returns how long to wait, on a busy machine, for something that should take d.
func (r *reading) withLoad(d time.Duration) time.Duration { return d * time.Duration(r.patience) }

// addAnswer adds the text, parts and picture that an answer reports to those already received.
func (r *reading) addAnswer(a answer) {
	r.child.spent = a.Spent
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
		r.startTimer()
	case progress:
		r.page, r.pages = a.Page, a.Pages
		r.addTimeForPage(a.Text)
	}
}

// addTimeForPage extends the deadline after a page.
func (r *reading) addTimeForPage(text string) {
	earned := r.limits.blank
	if text != "" {
		earned = r.limits.page
	}
	r.until = r.until.Add(r.withLoad(earned))
	if last := r.begun.Add(r.withLoad(r.limits.most)); r.until.After(last) {
		r.until = last
	}
}

// resultOf returns the content, or the error, that a final answer stands for.
func (r *reading) resultOf(a answer) (extract.Content, error) {
	switch a.Kind {
	case panicked:
		r.child.kill()
		r.dead = true
		return r.panicResult()
	case failed:
		r.child.kill()
		return extract.Content{}, message.NewError(a.Reason)
	}
	r.over = true
	if a.Kind == skipped {
		return extract.Content{}, &extract.SkipError{Reason: a.Reason}
	}
	r.picture = a.Picture
	a.Content.Text, a.Content.Parts = r.text.String(), r.content.Parts
	return *a.Content, nil
}

// blamedShare determines whether a file is to blame for a timeout: only if its reader used at least
// this share of the time limit on the processor. Otherwise other programs have taken the time.
const blamedShare = 0.75

// timeoutResult returns the result for a file that has run out of time.
func (r *reading) timeoutResult() (extract.Content, error) {
	if r.waiting {
		return extract.Content{}, message.Errorf("the engine that reads %s did not start within %v", r.asked.Format, r.limits.start)
	}
	took, due := r.child.processorTimeUsed()-r.before, r.until.Sub(r.begun)
	r.hadTooLittleCPU = took.Seconds() < blamedShare*due.Seconds()/float64(r.patience)
	c, err := r.partialResult(message.New("reading took too long"),
		message.New("takes too long to read (over %v s)", r.limits.file.Seconds()))
	if err != nil && r.hadTooLittleCPU {
		return extract.Content{}, message.Errorf("the machine is too busy: the reader of %s got only %v of CPU time in %v", r.asked.Format, took.Round(time.Millisecond), due)
	}
	return c, err
}

// crashResult returns the result for a file whose child process ended with an exit code.
func (r *reading) crashResult(code int) (extract.Content, error) {
	r.dead = true
	switch {
	case code == exitMemory:
		return r.partialResult(message.New("the rest takes too much memory to read"),
			message.New("takes too much memory to read"))
	case r.child.failedBySystem():
		return extract.Content{}, message.Errorf("the system ended the process that was reading it, perhaps because memory ran out")
	}
	return r.panicResult()
}

// panicResult returns the result for a file whose reader panicked.
func (r *reading) panicResult() (extract.Content, error) {
	return r.partialResult(message.New("the rest is damaged"),
		message.New("damaged: the reader of %s failed", r.asked.Format))
}

// partialResult returns the pages that were read, with a note that gives noteReason as the reason
// why there are no more. If there are none, it returns skipReason as an error.
func (r *reading) partialResult(noteReason, skipReason message.Message) (extract.Content, error) {
	c := r.content
	if c.Text = r.text.String(); r.page == 0 || strings.TrimSpace(c.Text) == "" {
		return extract.Content{}, &extract.SkipError{Reason: skipReason}
	}
	c.ExtractionNote = extract.FirstPagesNote(r.page, r.pages, noteReason)
	return c, nil
}
