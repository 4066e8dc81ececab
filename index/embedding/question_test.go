package embedding

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/search"
)

// TestQuestionWithoutVectors: what keeps a model from giving the vectors of a question is
// told, if it matters.
func TestQuestionWithoutVectors(t *testing.T) {
	for name, c := range map[string]struct {
		down   bool
		refuse string
		none   []bool // which wordings have no vector
		want   notice.Kind
	}{
		"nothing":           {false, "xyz", []bool{false, false}, ""},
		"it is away":        {true, "", []bool{true, true}, notice.ModelFailed},
		"one more wording":  {false, "other", []bool{false, true}, ""},
		"the question":      {false, "question", []bool{true, false}, notice.QuestionRefused},
		"both are too long": {false, "o", []bool{true, true}, notice.QuestionRefused},
	} {
		model := indextest.NewCountingModel(t)
		model.IsDown, model.RefusedWord = c.down, c.refuse
		vectors, notes := newProcess(t, model).EmbedQuestion(t.Context(), []string{"a question", "in other words"})
		for i, none := range c.none {
			if len(vectors) != 2 || (vectors[i] == nil) != none {
				t.Errorf("%s: the vectors are %v", name, vectors)
			}
		}
		if len(notes) > 1 || (len(notes) == 0) != (c.want == "") || len(notes) == 1 && notes[0].Kind != c.want {
			t.Errorf("%s: it says %q", name, notice.EnglishLines(notes))
		}
	}
}

// waiting is a model that does not answer.
type waiting struct{ *indextest.CountingModel }

func (w waiting) Embed(ctx context.Context, _ embed.TextKind, _ []string) ([][]float32, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestQuestionDoesNotWait for a slow model longer than a while.
func TestQuestionDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProcess(t, waiting{indextest.NewCountingModel(t)})
		began := time.Now()
		vectors, notes := p.EmbedQuestion(t.Context(), []string{"alpha"})
		if took := time.Since(began); took != patience || len(vectors) != 1 || vectors[0] != nil || len(notes) != 1 || notes[0].Kind != notice.ModelSlow {
			t.Errorf("after %v it says %q, with %v", took, notice.EnglishLines(notes), vectors)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, notes := p.EmbedQuestion(ctx, []string{"alpha"}); len(notes) != 1 || notes[0].Kind != notice.ModelFailed {
			t.Errorf("given up it says %q", notice.EnglishLines(notes))
		}
	})
}

// TestQuestionFindsAnotherLength: a question shows that the model gives other vectors now,
// and Run makes all anew.
func TestQuestionFindsAnotherLength(t *testing.T) {
	for name, again := range map[string]bool{"again and again": true, "in one answer": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := indextest.NewCountingModel(t)
				p := newProcess(t, &once{CountingModel: model, wrong: 2})
				if again {
					p.Embedder = model
				}
				p.put(t, search.NoFolder, "text:1", "alpha")
				indextest.Must(t, p.EmbedMissing(t.Context(), 0))
				passes := p.run(t)
				model.ReturnsShortVectors = true
				vectors, notes := p.EmbedQuestion(t.Context(), []string{"alpha"})
				if len(vectors) != 1 || vectors[0] != nil || !strings.Contains(strings.Join(notice.EnglishLines(notes), ""), "a different length") {
					t.Errorf("it says %q, with %v", notice.EnglishLines(notes), vectors)
				}
				synctest.Wait()
				p.mustHaveUnembedded(t, 0)
				if passes.Load() != 1 || (model.TakeCount() == 3) != again || (p.logged.count("could not determine which vectors are correct") == 0) != again {
					t.Errorf("there were %d passes, it says %q", passes.Load(), p.logged.all)
				}
				if vectors, notes := p.EmbedQuestion(t.Context(), []string{"alpha"}); vectors[0] == nil || len(notes) > 0 {
					t.Errorf("then it says %q", notice.EnglishLines(notes))
				}
			})
		})
	}
}
