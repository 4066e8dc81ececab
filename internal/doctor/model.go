package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vademecum/embed"
	"vademecum/embed/hub"
	"vademecum/internal/present"
)

// trial is the text by which a model is tried: none of the user's.
const trial = "vademecum"

// checkModel tells whether the embedding model answers, how long it takes, and how long its
// vectors are.
func (s *examination) checkModel(ctx context.Context, tell func(Finding)) {
	if missing := missingModel(ctx, s.Model); missing != nil {
		tell(Finding{Fault, "model", present.ErrorLine(missing), missing.Hint()})
		return
	}
	if s.Unmade != nil {
		tell(Finding{Fault, "model", present.ErrorLine(s.Unmade), "correct --embed; without it the built-in embedding is used, which needs nothing"})
		return
	}
	name := s.Embedder.Model()
	if s.Embedder.Properties().Free {
		tell(Finding{OK, "model", "the built-in embedding, which sends no text anywhere", ""})
		return
	}
	start := time.Now()
	vectors, err := s.Embedder.Embed(ctx, embed.Query, []string{trial})
	if err != nil || len(vectors) != 1 {
		tell(Finding{Fault, "model", fmt.Sprintf("%s does not answer: %s", name, present.CleanLine(fmt.Sprint(err))), "see whether its service runs, the model is there, and the key is set; passages are found by their words meanwhile"})
		return
	}
	says := fmt.Sprintf("%s answers with %d numbers after %d ms", name, len(vectors[0]), time.Since(start).Milliseconds())
	if host := s.Embedder.Properties().Host; host != "" {
		says += "; the texts of the folder are sent to " + present.CleanLine(host)
	}
	tell(Finding{OK, "model", says, ""})
}

// missingModel tells of a model of the program that --embed names, and that is not here or not as
// it was fetched; nil of any other. It reads the whole model.
func missingModel(ctx context.Context, spec string) *hub.AbsentError {
	m, ok := hub.ModelOfSpec(spec)
	if !ok {
		return nil
	}
	missing, _ := errors.AsType[*hub.AbsentError](hub.Verify(ctx, m))
	return missing
}
