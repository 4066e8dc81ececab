package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"

	"vademecum/internal/base/script"
)

// embedCall is one call of Embed.
type embedCall struct {
	*remote
	kind   TextKind
	ticket int64 // position among the calls
	prefix string
	texts  []string // texts without the prefix, cut to the model's limit; blank ones replaced
	tokens []int    // estimated tokens of each text with its prefix

	vectors [][]float32

	mu      sync.Mutex
	blamed  map[int]bool // texts that were refused when sent alone
	refused RefusedTextsError
}

func (r *remote) Embed(ctx context.Context, kind TextKind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, embedError(r.identity, err)
	}
	c := r.newCall(kind, texts)
	if err := c.embedAll(ctx); err != nil {
		return c.vectors, embedError(r.identity, r.failureReason(ctx, kind, err))
	}
	if len(c.refused) > 0 {
		return c.vectors, c.refused
	}
	return c.vectors, nil
}

func (r *remote) newCall(kind TextKind, texts []string) *embedCall {
	c := &embedCall{
		remote:  r,
		kind:    kind,
		ticket:  r.tickets.Add(1),
		prefix:  r.prefixes[kind],
		texts:   make([]string, len(texts)),
		tokens:  make([]int, len(texts)),
		vectors: make([][]float32, len(texts)),
		blamed:  make(map[int]bool),
		refused: make(RefusedTextsError),
	}
	extra := script.EstimateTokens(c.prefix)
	for i, text := range texts {
		text = replaceBlank(text)
		n := script.EstimateTokens(text)
		if r.limit > 0 && n+extra > r.limit {
			n = max(r.limit-extra, 1)
			text = replaceBlank(cutToTokens(text, n))
		}
		c.texts[i], c.tokens[i] = text, n+extra
	}
	return c
}

// replaceBlank returns a full stop for a text without a visible character, because several services
// refuse such texts.
func replaceBlank(text string) string {
	if strings.TrimSpace(text) == "" {
		return "."
	}
	return text
}

// embedAll sends the texts in batches, as many at once as there are slots. After a failure no more
// are sent, and those in progress are completed.
func (c *embedCall) embedAll(ctx context.Context) error {
	beginning, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	for next := 0; next < len(c.texts); {
		release, err := c.awaitSlot(beginning)
		if err != nil {
			stop(err)
			break
		}
		from, to := next, next+c.sizes.fittingCount(c.tokens[next:])
		group.Go(func() {
			defer release()
			defer func() {
				if p := recover(); p != nil {
					// fails the passages of this call, rather than the process
					slog.Error("internal error", "doing", "embed", "panic", p, "stack", string(debug.Stack()))
					stop(fmt.Errorf("internal error: %v", p))
				}
			}()
			if err := c.embedBatch(ctx, from, to, noBatch); err != nil {
				stop(err)
			}
		})
		next = to
	}
	group.Wait()
	return context.Cause(beginning)
}

// awaitSlot waits for a slot. It returns an error at once if the service is known to refuse
// requests.
func (c *embedCall) awaitSlot(ctx context.Context) (release func(), err error) {
	if err := c.health.refuses(c.kind); err != nil {
		return nil, err
	}
	return c.acquireSlot(ctx, c.kind, c.ticket)
}

const noBatch = -1 // in place of a request number

// embedBatch embeds the texts with indexes from to before to. A batch that is refused is halved
// until the refused texts are alone. parent is the number of a request that was refused and
// included these texts, or noBatch.
func (c *embedCall) embedBatch(ctx context.Context, from, to int, parent int64) error {
	vectors, err := c.requestBatch(ctx, c.kind, c.inputs(from, to), sum(c.tokens[from:to]))
	if err == nil {
		copy(c.vectors[from:], vectors)
		c.sizes.succeeded()
		return nil
	}
	f, ok := errors.AsType[*requestFailure](err)
	if !ok || f.general {
		return err
	}
	alone := to-from == 1
	if parent == noBatch {
		parent = f.first
	} else if !alone { // the service was healthy when halving began
		return c.embedInHalves(ctx, from, to, f)
	}
	if err := c.confirmService(ctx, c.kind, parent); err != nil {
		return err
	}
	if alone {
		return c.embedSingle(ctx, from, f)
	}
	return c.embedInHalves(ctx, from, to, f)
}

// embedInHalves embeds a refused batch in two parts, or in more if smaller limits have been learned
// in the meantime.
func (c *embedCall) embedInHalves(ctx context.Context, from, to int, f *requestFailure) error {
	texts, tokens := (to-from+1)/2, sum(c.tokens[from:to])/2
	if f.timeLimit {
		c.sizes.limitTo(texts, tokens)
	}
	for _, part := range [][2]int{{from, from + texts}, {from + texts, to}} {
		for next := part[0]; next < part[1]; {
			n := c.sizes.fittingCount(c.tokens[next:part[1]])
			if err := c.embedBatch(ctx, next, next+n, f.first); err != nil {
				return err
			}
			next += n
		}
	}
	switch {
	case c.anyBlamed(from, to):
	case f.tooLong:
		c.sizes.limitTo(0, tokens)
	case f.steady:
		c.sizes.limitTo(texts, 0)
	}
	return nil
}

// longText is the number of tokens above which a text may be refused for its length, whatever
// reason is given: the smallest limit of a model in use is 256 tokens.
const longText = 200

// embedSingle embeds a text that was refused when sent alone. It tries up to three more times, with
// a shorter text if that may help.
func (c *embedCall) embedSingle(ctx context.Context, at int, f *requestFailure) error {
	c.markBlamed(at)
	text := c.texts[at]
	shorter := 0
	for try := range 3 {
		switch {
		case f.timeLimit && try == 0: // it may have waited for the model to be loaded
		case !f.steady: // the reasons vary, so it is hardly due to the text
		case shorter < 2 && (f.tooLong || script.EstimateTokens(text) > longText):
			text, shorter = firstHalf(text), shorter+1
		default:
			text = ""
		}
		if text == "" {
			break
		}
		vectors, err := c.requestBatch(ctx, c.kind, []string{c.prefix + text}, script.EstimateTokens(text))
		if err == nil {
			c.vectors[at] = vectors[0]
			return nil
		}
		var ok bool
		if f, ok = errors.AsType[*requestFailure](err); !ok || f.general {
			return err
		}
	}
	c.markRefused(at, f)
	return nil
}

func (c *embedCall) inputs(from, to int) []string {
	inputs := make([]string, 0, to-from)
	for _, text := range c.texts[from:to] {
		inputs = append(inputs, c.prefix+text)
	}
	return inputs
}

// markBlamed records that a text was refused when sent alone, so that it does not influence the
// size of batches.
func (c *embedCall) markBlamed(at int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.blamed[at] = true
}

func (c *embedCall) anyBlamed(from, to int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := from; at < to; at++ {
		if c.blamed[at] {
			return true
		}
	}
	return false
}

func (c *embedCall) markRefused(at int, reason error) {
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
