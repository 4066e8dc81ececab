package embedding

import (
	"context"
	"errors"
	"time"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
)

// patience is how long a question waits for its own vector.
const patience = 2 * time.Second

// EmbedQuestion embeds the wordings of a question. Those without a vector are nil; a note says so
// for the question itself, or all.
func (s *Service) EmbedQuestion(ctx context.Context, texts []string) (vectors [][]float32, notes []notice.Note) {
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	vectors, err := s.Embedder.Embed(patient, embed.Query, texts)
	var refused embed.RefusedTexts
	none := make([][]float32, len(texts))
	switch {
	case errors.As(err, &refused):
		if reason := refused[0]; reason != nil {
			notes = []notice.Note{{Kind: notice.QuestionRefused, Why: message.OfError(reason)}}
		}
		return vectors, notes
	case err != nil && patient.Err() != nil && ctx.Err() == nil:
		return none, []notice.Note{{Kind: notice.ModelSlow, Model: s.Embedder.Model(), For: patience}}
	case err != nil:
		return none, []notice.Note{{Kind: notice.ModelFails, Why: message.OfError(err)}}
	}
	if s.Progress.CombinedState().EmbedFailure != "" {
		s.recordRecovery()
	}
	if s.Store.HasOtherLength(vectors[0]) {
		s.dropIfOtherLength(patient, vectors[0])
		return none, []notice.Note{{Kind: notice.ModelChanged, Model: s.Embedder.Model()}}
	}
	return vectors, nil
}

// dropIfOtherLength schedules all passages to be embedded again if the model really gives vectors
// of another length than before.
func (s *Service) dropIfOtherLength(ctx context.Context, vec []float32) {
	if err := s.checkLength(ctx, map[catalog.Key][]float32{{}: vec}); err != nil {
		s.Log.Warn("could not tell which vectors are right", "error", err)
	}
	s.Wake()
}
