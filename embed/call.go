package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"

	"vademecum/internal/script"
)

// call is one call of Embed.
type call struct {
	*remote
	kind   Kind
	ticket int64 // its turn among the calls
	prefix string
	texts  []string // without it, cut to what the model takes; blank ones filled
	tokens []int    // of each with its prefix, as estimated

	vectors [][]float32

	mu      sync.Mutex
	blamed  map[int]bool // refused when they were alone
	refused Refused
}

func (r *remote) Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("embed with %s: %w", r.identity, err)
	}
	c := r.newCall(kind, texts)
	if err := c.run(ctx); err != nil {
		return c.vectors, r.explain(ctx, kind, err)
	}
	if len(c.refused) > 0 {
		return c.vectors, c.refused
	}
	return c.vectors, nil
}

func (r *remote) newCall(kind Kind, texts []string) *call {
	c := &call{
		remote:  r,
		kind:    kind,
		ticket:  r.tickets.Add(1),
		prefix:  r.prefixes[kind],
		texts:   make([]string, len(texts)),
		tokens:  make([]int, len(texts)),
		vectors: make([][]float32, len(texts)),
		blamed:  make(map[int]bool),
		refused: make(Refused),
	}
	extra := script.Tokens(c.prefix)
	for i, text := range texts {
		text = visible(text)
		n := script.Tokens(text)
		if r.limit > 0 && n+extra > r.limit {
			n = max(r.limit-extra, 1)
			text = visible(cut(text, n))
		}
		c.texts[i], c.tokens[i] = text, n+extra
	}
	return c
}

// visible replaces a text without a visible character, which several services
// refuse, by a full stop.
func visible(text string) string {
	if strings.TrimSpace(text) == "" {
		return "."
	}
	return text
}

// run sends the texts in batches, as many at once as there are slots. After a
// failure no more are begun, and those under way are brought to their end.
func (c *call) run(ctx context.Context) error {
	beginning, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	for next := 0; next < len(c.texts); {
		release, err := c.start(beginning)
		if err != nil {
			stop(err)
			break
		}
		from, to := next, next+c.sizes.fit(c.tokens[next:])
		group.Go(func() {
			defer release()
			defer func() {
				if p := recover(); p != nil { // the passages of this call fail, not the process
					slog.Error("internal error", "doing", "embed", "panic", p, "stack", string(debug.Stack()))
					stop(fmt.Errorf("internal error: %v", p))
				}
			}()
			if err := c.batch(ctx, from, to, noBatch); err != nil {
				stop(err)
			}
		})
		next = to
	}
	group.Wait()
	return context.Cause(beginning)
}

// start waits for a slot, unless there is no point in it.
func (c *call) start(ctx context.Context) (release func(), err error) {
	if err := c.health.refuses(c.kind); err != nil {
		return nil, err
	}
	return c.slot(ctx, c.kind, c.ticket)
}

const noBatch = -1 // in place of the number of a request

// batch embeds the texts from one place up to another. A batch that is refused
// is halved until the texts to blame are alone. parent is the number of the
// request that was refused with these texts among others, or noBatch.
func (c *call) batch(ctx context.Context, from, to int, parent int64) error {
	vectors, err := c.send(ctx, c.kind, c.inputs(from, to), sum(c.tokens[from:to]))
	if err == nil {
		copy(c.vectors[from:], vectors)
		c.sizes.succeeded()
		return nil
	}
	f, ok := errors.AsType[*failure](err)
	if !ok || f.general {
		return err
	}
	alone := to-from == 1
	if parent == noBatch {
		parent = f.first
	} else if !alone { // the service was well when the halving began
		return c.halves(ctx, from, to, f)
	}
	if err := c.proveWell(ctx, c.kind, parent); err != nil {
		return err
	}
	if alone {
		return c.single(ctx, from, f)
	}
	return c.halves(ctx, from, to, f)
}

// halves embeds a refused batch in two parts, or more when smaller ones were
// learned on the way.
func (c *call) halves(ctx context.Context, from, to int, f *failure) error {
	texts, tokens := (to-from+1)/2, sum(c.tokens[from:to])/2
	if f.timeLimit {
		c.sizes.shrink(texts, tokens)
	}
	for _, part := range [][2]int{{from, from + texts}, {from + texts, to}} {
		for next := part[0]; next < part[1]; {
			n := c.sizes.fit(c.tokens[next:part[1]])
			if err := c.batch(ctx, next, next+n, f.first); err != nil {
				return err
			}
			next += n
		}
	}
	switch {
	case c.anyBlamed(from, to):
	case f.tooLong:
		c.sizes.shrink(0, tokens)
	case f.steady:
		c.sizes.shrink(texts, 0)
	}
	return nil
}

// A text of more tokens than this may be refused for its length, whatever the
// reason given: the smallest limit of a model in use is 256 tokens.
const longText = 200

// single embeds a text that was refused alone. It is tried up to three
// times more, shorter if that may help.
func (c *call) single(ctx context.Context, at int, f *failure) error {
	c.blame(at)
	text := c.texts[at]
	shorter := 0
	for try := range 3 {
		switch {
		case f.timeLimit && try == 0: // it may have waited for the model to be loaded
		case !f.steady: // now this, now that: it is hardly the text
		case shorter < 2 && (f.tooLong || script.Tokens(text) > longText):
			text, shorter = half(text), shorter+1
		default:
			text = ""
		}
		if text == "" {
			break
		}
		vectors, err := c.send(ctx, c.kind, []string{c.prefix + text}, script.Tokens(text))
		if err == nil {
			c.vectors[at] = vectors[0]
			return nil
		}
		var ok bool
		if f, ok = errors.AsType[*failure](err); !ok || f.general {
			return err
		}
	}
	c.refuse(at, f)
	return nil
}

func (c *call) inputs(from, to int) []string {
	inputs := make([]string, 0, to-from)
	for _, text := range c.texts[from:to] {
		inputs = append(inputs, c.prefix+text)
	}
	return inputs
}

// blame notes that a text was refused alone, so that nothing is learned from
// it about the size of batches.
func (c *call) blame(at int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.blamed[at] = true
}

func (c *call) anyBlamed(from, to int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := from; at < to; at++ {
		if c.blamed[at] {
			return true
		}
	}
	return false
}

func (c *call) refuse(at int, reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused[at] = reason
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}
