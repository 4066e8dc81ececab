package local

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"vademecum/embed/local/tokenizer"
	"vademecum/embed/local/transformer"
	"vademecum/internal/base/panics"
)

// Model is the opened model of a folder, which computes vectors. Its methods are safe for
// concurrent use.
type Model struct {
	*ModelFolder
	tokenizer    *tokenizer.Tokenizer
	keepsFloat32 bool // weights are never stored in 8 bits

	scheduler *passageScheduler
	memory    sync.Pool

	loading     sync.Once
	loaded      chan struct{}
	encoder     *transformer.Encoder
	denseLayers []*denseLayer
	head        *transformer.ScoreHead // nil unless the model is a cross-encoder
	loadError   error                  // set if loading failed

	givesVectors atomic.Bool // the model has returned a vector
}

// RefusedTextsError maps the indexes of the texts of a call for which the model returns no usable
// vector to the reasons.
type RefusedTextsError map[int]error

func (r RefusedTextsError) Error() string { return fmt.Sprintf("%d texts have no vector", len(r)) }

// OpenLazily reads the vocabulary of the folder's model. The weights are read when the first text is
// embedded.
func (f *ModelFolder) OpenLazily() (*Model, error) {
	path := f.tokenizerPath()
	text, err := readFile(path, mostTokenizer)
	if err != nil {
		return nil, err
	}
	t, err := tokenizer.Parse(text)
	if err == nil {
		err = f.checkTokenizer(t)
	}
	if err != nil {
		return nil, fileError(path, err)
	}
	return &Model{
		ModelFolder: f, tokenizer: t, loaded: make(chan struct{}), scheduler: newPassageScheduler(runtime.GOMAXPROCS(0)),
		memory: sync.Pool{New: func() any { return new(transformer.Workspace) }},
	}, nil
}

func (f *ModelFolder) tokenizerPath() string { return filepath.Join(f.dir, "tokenizer.json") }

// checkTokenizer returns an error for a tokenizer that seems to be another model's by its number of
// tokens, or puts more tokens around a text than the model reads. A model may have somewhat more
// embeddings than its tokenizer has tokens.
func (f *ModelFolder) checkTokenizer(t *tokenizer.Tokenizer) error {
	words := f.config.VocabularySize
	if t.VocabularySize() > words || t.VocabularySize() < words-words/10-128 {
		return fmt.Errorf("it has %d tokens and the model %d: it is not the model's", t.VocabularySize(), words)
	}
	if f.tokenLimit <= t.SpecialTokenCount() {
		return fmt.Errorf("it puts %d tokens around a text, and the model reads %d", t.SpecialTokenCount(), f.tokenLimit)
	}
	return nil
}

// awaitWeights waits until the weights are loaded, or ctx is done. Loading continues even if the
// caller gives up.
func (m *Model) awaitWeights(ctx context.Context) error {
	m.loading.Do(func() {
		go func() {
			defer close(m.loaded)
			m.loadError = panics.Catch(m.loadWeights)
		}()
	})
	select {
	case <-m.loaded:
		return m.loadError
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *Model) loadWeights() (err error) {
	var file *transformer.SafetensorsFile // stays open: see transformer.Load
	if file, err = openWeights(m.dir); err != nil {
		return err
	}
	if m.encoder, err = transformer.Load(m.config, file, m.keepsFloat32); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", weightsPath(m.dir), err)
	}
	if m.isCrossEncoder {
		if m.head, err = transformer.LoadScoreHead(m.config, file); err != nil {
			file.Close()
			return fmt.Errorf("%s: %w", weightsPath(m.dir), err)
		}
	}
	for _, c := range m.dense {
		d, err := c.loadLayer(false)
		if err != nil {
			file.Close()
			return err
		}
		m.denseLayers = append(m.denseLayers, d)
	}
	if now, err := m.contentHash(); err != nil || now != m.fingerprint {
		file.Close()
		return fmt.Errorf("%s: another model has taken the place of the one that it was: start anew", m.dir)
	}
	return nil
}

// Close closes the file with the weights. Embed must not be called afterwards.
func (m *Model) Close() error {
	select {
	case <-m.loaded:
		if m.loadError == nil {
			return m.encoder.Close()
		}
	default:
	}
	return nil
}

// Embed returns the vector of each text, of unit length; isQuestion says whether the texts are
// queries rather than passages. If there is an error, it returns the vectors computed so far, and
// nil for the other texts. The error is a RefusedTextsError if only the texts in it are the cause.
func (m *Model) Embed(ctx context.Context, isQuestion bool, texts []string) ([][]float32, error) {
	if err := m.awaitWeights(ctx); err != nil {
		return nil, err
	}
	c := embedCall{Model: m, question: isQuestion, tokens: make([][]int32, len(texts)), vectors: make([][]float32, len(texts)), faults: make([]error, len(texts))}
	run := c.runPassages
	if isQuestion {
		end := m.scheduler.beginQuestion()
		defer end()
		run = c.runQuestions
	}
	for i, text := range texts {
		if err := c.yieldToQuestions(ctx); err != nil {
			return nil, err
		}
		c.tokens[i] = m.tokenize(isQuestion, text)
	}
	err := run(ctx)
	if err := m.encoder.CheckUnchanged(); err != nil {
		return nil, fmt.Errorf("%s: %w: start anew", weightsPath(m.dir), err)
	}
	if err == nil {
		err = c.refusedTexts()
	}
	return c.vectors, err
}

// tokenize returns the tokens of a text, at least one.
func (m *Model) tokenize(isQuestion bool, text string) []int32 {
	prefix := m.passagePrefix
	if isQuestion {
		prefix = m.questionPrefix
	}
	text = strings.TrimSpace(prefix + text)
	if m.isLowercase {
		text = strings.ToLower(text)
	}
	tokens := m.tokenizer.Tokens(strings.ToValidUTF8(text, "\ufffd"), m.tokenLimit)
	if len(tokens) == 0 {
		return []int32{0}
	}
	return tokens
}

// embedCall is one call of Embed.
type embedCall struct {
	*Model
	question bool
	tokens   [][]int32
	vectors  [][]float32
	faults   []error // why a text has no vector; nil for the others
}

// refusedTexts returns the texts for which the model returned no vector. A model that has never
// returned one is the cause itself.
func (c *embedCall) refusedTexts() error {
	refused := make(RefusedTextsError)
	for i, fault := range c.faults {
		switch {
		case fault == nil:
		case !c.givesVectors.Load():
			return fault
		default:
			refused[i] = fault
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return refused
}

// batchTokens is how many tokens are computed together if texts are short: with fewer, the weights
// would be read too often.
const batchTokens = 128

// batchRanges yields the start and end of each batch of texts.
func (c *embedCall) batchRanges() iter.Seq2[int, int] {
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
func (c *embedCall) runQuestions(ctx context.Context) error {
	for from, to := range c.batchRanges() {
		if err := c.embedBatch(ctx, from, to); err != nil {
			return err
		}
	}
	return nil
}

// runPassages computes the vectors in batches, as many concurrently as there are processors, for
// all calls together.
func (c *embedCall) runPassages(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := c.scheduler.passageCall.Acquire(ctx, 1); err != nil {
		return err
	}
	var group sync.WaitGroup
	share := c.scheduler.batchPlaces()
	for from, to := range c.batchRanges() {
		if c.scheduler.places.Acquire(ctx, share) != nil {
			break
		}
		group.Go(func() {
			defer c.scheduler.places.Release(share)
			lowerThreadPriority()
			if err := panics.Catch(func() error { return c.embedBatch(ctx, from, to) }); err != nil {
				stop(err)
			}
		})
	}
	c.scheduler.passageCall.Release(1)
	group.Wait()
	return context.Cause(ctx)
}

// yieldToQuestions waits while questions are being embedded.
func (c *embedCall) yieldToQuestions(ctx context.Context) error {
	if !c.question {
		c.scheduler.awaitQuestions(ctx)
	}
	return ctx.Err()
}

// embedBatch computes the vectors of the texts with indexes in [from, to).
func (c *embedCall) embedBatch(ctx context.Context, from, to int) error {
	memory := c.memory.Get().(*transformer.Workspace)
	defer c.memory.Put(memory)
	states, err := c.encoder.Run(c.tokens[from:to], memory, func() error { return c.yieldToQuestions(ctx) })
	switch {
	case errors.Is(err, transformer.ErrNotFinite) && to-from == 1:
		c.faults[from] = fmt.Errorf("%s: %w", weightsPath(c.dir), err)
		return nil
	case errors.Is(err, transformer.ErrNotFinite):
		return c.embedOneByOne(ctx, from, to)
	case err != nil:
		return err
	}
	at := 0
	for i, tokens := range c.tokens[from:to] {
		first := at
		v := c.pooling.poolStates(len(tokens), func(i int) []float32 { return states.Row(first + i) })
		for _, d := range c.denseLayers {
			v = d.applyTo(v)
		}
		at += len(tokens)
		if err := normalise(v); err != nil {
			c.faults[from+i] = fmt.Errorf("%s: %w", weightsPath(c.dir), err)
			continue
		}
		c.vectors[from+i] = v
		c.givesVectors.Store(true)
	}
	return nil
}

// embedOneByOne computes the vectors of texts one by one, because the model returns none for at
// least one of them.
func (c *embedCall) embedOneByOne(ctx context.Context, from, to int) error {
	for i := from; i < to; i++ {
		if err := c.embedBatch(ctx, i, i+1); err != nil {
			return err
		}
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
