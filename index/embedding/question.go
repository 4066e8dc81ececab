package embedding

import (
	"context"
	"errors"
	"time"

	"vademecum/embed"
	"vademecum/index/notice"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// patience is how long a query waits for its vector.
const patience = 2 * time.Second

// EmbedQuestion embeds the phrasings of a query, of which the first is the query itself. The vector of a
// phrasing is nil if it cannot be computed; a note reports that if it is the first or all of them.
func (s *Service) EmbedQuestion(ctx context.Context, texts []string) (vectors [][]float32, notes []notice.Note) {
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	vectors, err := s.Embedder.Embed(patient, embed.Query, texts)
	var refused embed.RefusedTextsError
	none := make([][]float32, len(texts))
	switch {
	case errors.As(err, &refused):
		if reason := refused[0]; reason != nil {
			notes = []notice.Note{{Kind: notice.QuestionRefused, Why: message.FromError(reason)}}
		}
		return vectors, notes
	case err != nil && patient.Err() != nil && ctx.Err() == nil:
		return none, []notice.Note{{Kind: notice.ModelSlow, Model: s.Embedder.ModelIdentity(), Duration: patience}}
	case err != nil:
		return none, []notice.Note{{Kind: notice.ModelFailed, Why: message.FromError(err)}}
	}
	if s.FreshnessPublisher.Current().State.EmbedFailure != "" {
		s.recordRecovery()
	}
	if s.Store.HasOtherLength(vectors[0]) {
		s.dropIfOtherLength(patient, vectors[0])
		return none, []notice.Note{{Kind: notice.ModelChanged, Model: s.Embedder.ModelIdentity()}}
	}
	return vectors, nil
}

// dropIfOtherLength schedules all passages to be embedded again if the model returns vectors of another
// length than the stored ones, and does so when it is asked again.
func (s *Service) dropIfOtherLength(ctx context.Context, vec []float32) {
	if err := s.checkLength(ctx, map[catalog.EmbeddingKey][]float32{{}: vec}); err != nil {
		s.Log.Warn("could not determine which vectors are correct", "error", err)
	}
	s.Wake()
}
