package local

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"vademecum/embed/local/tokenizer"
	"vademecum/embed/local/transformer"
	"vademecum/internal/base/panics"
)

// CrossEncoder reads a query and a passage together, and scores how well the passage answers the
// query. Its methods are safe for concurrent use.
type CrossEncoder struct {
	model      *Model
	pair       *tokenizer.PairTemplate
	tokenLimit int // maximum tokens of a query and a passage together
}

// mostPairTokens is the maximum number of tokens read of a query and a passage, even if the model
// accepts more, because a query waits for about thirty pairs.
const mostPairTokens = 256

// leastPairTokens is the minimum number of tokens that a model must accept of a query and a passage
// together: a few words of each.
const leastPairTokens = 16

// OpenCrossEncoder reads the configuration and the vocabulary of a cross-encoder from a folder like
// that of an embedding model, but without modules.json and the files that it refers to. The weights
// are read on first use.
func OpenCrossEncoder(dir string) (*CrossEncoder, error) {
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	f := &ModelFolder{dir: dir, isCrossEncoder: true}
	if err := f.readConfig(); err != nil {
		return nil, err
	}
	if err := f.checkWeights(); err != nil {
		return nil, err
	}
	var err error
	if f.fingerprint, err = f.contentHash(); err != nil {
		return nil, err
	}
	m, err := f.OpenLazily()
	if err != nil {
		return nil, err
	}
	c := &CrossEncoder{model: m, tokenLimit: min(f.tokenLimit, mostPairTokens)}
	if c.pair, err = m.tokenizer.PairTemplate(); err != nil {
		return nil, fileError(f.tokenizerPath(), err)
	}
	if c.pair.UsesTokenTypes() {
		if err := f.config.CheckTokenTypes(); err != nil {
			return nil, fileError(filepath.Join(dir, "config.json"), err)
		}
	}
	if c.tokenLimit < leastPairTokens+c.pair.SpecialTokenCount() {
		return nil, fmt.Errorf("%s: the model reads %d tokens, which is too few for two texts", dir, c.tokenLimit)
	}
	return c, nil
}

// Identity identifies the model by the content of its folder.
func (c *CrossEncoder) Identity() string { return c.model.Identity() }

// Close closes the file with the weights. Rerank must not be called afterwards.
func (c *CrossEncoder) Close() error { return c.model.Close() }

// Rerank returns a score for each text, higher for one that answers the query better. It uses all
// processors.
func (c *CrossEncoder) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	if err := c.model.awaitWeights(ctx); err != nil {
		return nil, err
	}
	scores := make([]float64, len(texts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, text := range texts {
		group.Go(func() error {
			return panics.Catch(func() (err error) {
				scores[i], err = c.score(ctx, question, text)
				return err
			})
		})
	}
	err := group.Wait()
	if changed := c.model.encoder.CheckUnchanged(); changed != nil {
		return nil, fmt.Errorf("%s: %w: start anew", weightsPath(c.model.dir), changed)
	}
	if err != nil {
		return nil, err
	}
	return scores, nil
}

// score scores one text.
func (c *CrossEncoder) score(ctx context.Context, question, text string) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	tokens, typeZero := c.pair.Tokens(cleanText(question), cleanText(text), c.tokenLimit)
	memory := c.model.memory.Get().(*transformer.Workspace)
	defer c.model.memory.Put(memory)
	states, err := c.model.encoder.RunPair(tokens, typeZero, memory, ctx.Err)
	if err != nil {
		return 0, c.namingWeights(err)
	}
	score, err := c.model.head.Score(states.Row(0))
	return score, c.namingWeights(err)
}

// namingWeights adds the name of the weights file to an error about non-finite numbers.
func (c *CrossEncoder) namingWeights(err error) error {
	if errors.Is(err, transformer.ErrNotFinite) {
		return fmt.Errorf("%s: %w", weightsPath(c.model.dir), err)
	}
	return err
}

func cleanText(text string) string { return strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd") }
