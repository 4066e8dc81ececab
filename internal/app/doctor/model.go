package doctor

import (
	"context"
	"errors"
	"time"

	"vademecum/embed"
	"vademecum/embed/hub"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// trial is the text that is embedded and searched for in checks. It contains nothing from the user.
const trial = "vademecum"

// checkModel reports whether the embedding model answers, how long that takes, and the dimension of
// its vectors.
func (s *examination) checkModel(ctx context.Context, report func(Finding)) {
	if missing := missingModel(ctx, s.EmbedderSpec); missing != nil {
		report(Finding{LevelFault, aboutModel, notice.ErrorLine(missing), missing.Hint()})
		return
	}
	if s.SetupError != nil {
		report(Finding{LevelFault, aboutModel, notice.ErrorLine(s.SetupError), message.New("correct --embed; without it the built-in embedding is used, which needs nothing")})
		return
	}
	name := s.Embedder.ModelIdentity()
	if s.Embedder.Properties().IsCheapToCompute {
		report(Finding{LevelOK, aboutModel, message.New("the built-in embedding, which sends no text anywhere"), ""})
		return
	}
	start := time.Now()
	vectors, err := s.Embedder.Embed(ctx, embed.Query, []string{trial})
	if err != nil || len(vectors) != 1 {
		report(Finding{LevelFault, aboutModel, message.New("%s does not answer: %v", name, message.FromError(err).MapForeignTexts(present.CleanLine)), s.modelAdvice()})
		return
	}
	says := message.New("%s answers with %d numbers after %d ms", name, len(vectors[0]), time.Since(start).Milliseconds())
	if host := s.Embedder.Properties().Host; host != "" {
		says = message.New("%v; the texts of the folder are sent to %s", says, present.CleanLine(host))
	}
	report(Finding{LevelOK, aboutModel, says, ""})
}

// modelAdvice returns advice on an embedding model that fails.
func (s *examination) modelAdvice() message.Message {
	if s.Embedder != nil && s.Embedder.Properties().InProcess { // nil if it could not be created
		return message.New("copy the folder of the model again, or choose another model; until then, passages are found by their words")
	}
	return message.New("check that its service runs, the model is there and the key is set; until then, passages are found by their words")
}

// missingModel returns an error if spec, a value of --embed, names a downloadable model that is
// missing or damaged; otherwise nil. It reads the whole model.
func missingModel(ctx context.Context, spec string) *hub.NotFetchedError {
	m, ok := hub.ModelOfSpec(spec)
	if !ok {
		return nil
	}
	missing, _ := errors.AsType[*hub.NotFetchedError](hub.Verify(ctx, m))
	return missing
}
