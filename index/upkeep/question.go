package upkeep

import (
	"context"
	"errors"
	"time"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/say"
)

// queryPatience is how long a question waits for its own vector.
const queryPatience = 2 * time.Second

// EmbedQuestion embeds the wordings of a question. Those that have no vector are
// nil; a note says so when it is the question itself, or all.
func (k *Keeper) EmbedQuestion(ctx context.Context, texts []string) (vectors [][]float32, notes []say.Note) {
	patient, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	vectors, err := k.store.Embedder.Embed(patient, embed.Query, texts)
	var refused embed.Refused
	none := make([][]float32, len(texts))
	switch {
	case errors.As(err, &refused):
		if reason := refused[0]; reason != nil {
			notes = []say.Note{{Kind: say.QuestionRefused, Why: reason.Error()}}
		}
		return vectors, notes
	case err != nil && patient.Err() != nil && ctx.Err() == nil:
		return none, []say.Note{{Kind: say.ModelSlow, Model: k.store.Embedder.Model(), For: queryPatience}}
	case err != nil:
		return none, []say.Note{{Kind: say.ModelFails, Why: err.Error()}}
	}
	if k.fresh.State().EmbedFailure != "" {
		k.recovered()
	}
	if k.store.IsOther(vectors[0]) {
		k.startAnew(patient, vectors[0])
		return none, []say.Note{{Kind: say.ModelChanged, Model: k.store.Embedder.Model()}}
	}
	return vectors, nil
}

// startAnew has all passages embedded again when it is true that the model gives
// vectors of another length than before.
func (k *Keeper) startAnew(ctx context.Context, vec []float32) {
	if err := k.checkLength(ctx, map[catalog.Key][]float32{{}: vec}); err != nil {
		k.log.Warn("could not tell which vectors are right", "error", err)
	}
	k.wantVectors()
}
