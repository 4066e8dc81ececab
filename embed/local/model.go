package local

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"vademecum/embed/local/safetensors"
	"vademecum/embed/local/tokenizer"
	"vademecum/embed/local/transformer"
	"vademecum/internal/panics"
)

// Model gives vectors. Its methods are safe for concurrent use.
type Model struct {
	*Folder
	tokenizer *tokenizer.Tokenizer
	exact     bool // weights are never held in 8 bits

	turns  *turns
	memory sync.Pool

	loading sync.Once
	loaded  chan struct{}
	encoder *transformer.Encoder
	maps    []*dense
	failure error // of loading
}

// Open reads the vocabulary of the folder's model. Its weights are read when the first
// text is embedded.
func (f *Folder) Open() (*Model, error) {
	path := filepath.Join(f.dir, "tokenizer.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, missing(err)
	}
	t, err := tokenizer.Parse(text)
	if err == nil {
		err = f.checkTokenizer(t)
	}
	if err != nil {
		return nil, wrong(path, err)
	}
	return &Model{
		Folder: f, tokenizer: t, loaded: make(chan struct{}), turns: newTurns(runtime.GOMAXPROCS(0)),
		memory: sync.Pool{New: func() any { return new(transformer.Memory) }},
	}, nil
}

// checkTokenizer fails for that of another model, as far as numbers show it: a vocabulary
// is filled up at most to a multiple of something, or by some tokens that nobody uses.
func (f *Folder) checkTokenizer(t *tokenizer.Tokenizer) error {
	words := f.config.Words
	if t.Words() > words || t.Words() < words-words/10-128 {
		return fmt.Errorf("it has %d tokens and the model %d: it is not the model's", t.Words(), words)
	}
	if f.limit <= t.Around() {
		return fmt.Errorf("it puts %d tokens around a text, and the model reads %d", t.Around(), f.limit)
	}
	return nil
}

// await has the weights be there. Loading goes on when the caller gives up.
func (m *Model) await(ctx context.Context) error {
	m.loading.Do(func() {
		go func() {
			defer close(m.loaded)
			m.failure = panics.Catch(m.load)
		}()
	})
	select {
	case <-m.loaded:
		return m.failure
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *Model) load() (err error) {
	var file *safetensors.File // stays open: see transformer.Load
	if file, err = openWeights(m.dir); err != nil {
		return err
	}
	if m.encoder, err = transformer.Load(m.config, file, m.exact); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", weightsOf(m.dir), err)
	}
	for _, c := range m.dense {
		d, err := c.load(false)
		if err != nil {
			file.Close()
			return err
		}
		m.maps = append(m.maps, d)
	}
	if now, err := m.hash(); err != nil || now != m.fingerprint {
		file.Close()
		return fmt.Errorf("%s: another model has taken the place of the one that it was: start anew", m.dir)
	}
	return nil
}

// Close frees the file of the weights. Texts must not be embedded any more.
func (m *Model) Close() error {
	select {
	case <-m.loaded:
		if m.failure == nil {
			return m.encoder.Close()
		}
	default:
	}
	return nil
}

// Embed returns the vector of each text, of unit length. With an error it returns those
// that have come, and nil for other texts.
func (m *Model) Embed(ctx context.Context, question bool, texts []string) ([][]float32, error) {
	if err := m.await(ctx); err != nil {
		return nil, err
	}
	c := call{Model: m, question: question, tokens: make([][]int32, len(texts)), vectors: make([][]float32, len(texts))}
	run := c.runPassages
	if question {
		end := m.turns.ask()
		defer end()
		run = c.runQuestions
	}
	for i, text := range texts {
		if err := c.proceed(ctx); err != nil {
			return nil, err
		}
		c.tokens[i] = m.tokens(question, text)
	}
	err := run(ctx)
	if err := m.encoder.CheckUnchanged(); err != nil {
		return nil, fmt.Errorf("%s: %w: start anew", weightsOf(m.dir), err)
	}
	return c.vectors, err
}

// tokens returns those of a text, one at least.
func (m *Model) tokens(question bool, text string) []int32 {
	prefix := m.passage
	if question {
		prefix = m.question
	}
	text = strings.TrimSpace(prefix + text)
	if m.lower {
		text = strings.ToLower(text)
	}
	tokens := m.tokenizer.Tokens(strings.ToValidUTF8(text, "\ufffd"), m.limit)
	if len(tokens) == 0 {
		return []int32{0}
	}
	return tokens
}

// call is one call of Embed.
type call struct {
	*Model
	question bool
	tokens   [][]int32
	vectors  [][]float32
}

// batchTokens is how many tokens are computed at once when texts are short: fewer would
// read the weights too often.
const batchTokens = 128

// batches yields where batches of texts begin and end.
func (c *call) batches() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(c.tokens); {
			to, n := from+1, len(c.tokens[from])
			for to < len(c.tokens) && n+len(c.tokens[to]) <= batchTokens {
				n += len(c.tokens[to])
				to++
			}
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}

// runQuestions computes the vectors in batches, one after the other.
func (c *call) runQuestions(ctx context.Context) error {
	for from, to := range c.batches() {
		if err := c.batch(ctx, from, to); err != nil {
			return err
		}
	}
	return nil
}

// runPassages computes the vectors in batches, as many at once as there are processors for
// all calls together.
func (c *call) runPassages(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := c.turns.next.Acquire(ctx, 1); err != nil {
		return err
	}
	var group sync.WaitGroup
	share := c.turns.share()
	for from, to := range c.batches() {
		if c.turns.places.Acquire(ctx, share) != nil {
			break
		}
		group.Go(func() {
			defer c.turns.places.Release(share)
			lowerThreadPriority()
			if err := panics.Catch(func() error { return c.batch(ctx, from, to) }); err != nil {
				stop(err)
			}
		})
	}
	c.turns.next.Release(1)
	group.Wait()
	return context.Cause(ctx)
}

// proceed lets questions go before passages.
func (c *call) proceed(ctx context.Context) error {
	if !c.question {
		c.turns.yield(ctx)
	}
	return ctx.Err()
}

// batch computes the vectors of the texts from one up to another.
func (c *call) batch(ctx context.Context, from, to int) error {
	memory := c.memory.Get().(*transformer.Memory)
	defer c.memory.Put(memory)
	states, err := c.encoder.Run(c.tokens[from:to], memory, func() error { return c.proceed(ctx) })
	if err != nil {
		return err
	}
	at := 0
	for i, tokens := range c.tokens[from:to] {
		first := at
		v := c.pooling.pool(len(tokens), func(i int) []float32 { return states.Row(first + i) })
		for _, d := range c.maps {
			v = d.apply(v)
		}
		if err := normalise(v); err != nil {
			return fmt.Errorf("%s: %w", weightsOf(c.dir), err)
		}
		c.vectors[from+i] = v
		at += len(tokens)
	}
	return nil
}

// normalise scales a vector to unit length in place.
func normalise(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return transformer.ErrNotFinite
	}
	if sum == 0 {
		return errors.New("the model gives a vector of zeros")
	}
	factor := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * factor)
	}
	return nil
}
