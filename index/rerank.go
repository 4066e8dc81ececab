package index

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/ranking"
	"vademecum/index/roots"
	"vademecum/index/search"
	syncs "vademecum/index/sync"
	"vademecum/internal/base/message"
)

// Reranker scores how well texts answer a question, more accurately and more slowly than an index
// does. Its methods may be called from several goroutines at once.
type Reranker interface {
	// ModelIdentity returns the name of the model, without a key.
	ModelIdentity() string
	// Host returns the host that receives the texts; "" if they stay on this machine.
	Host() string
	// Rerank returns a score for each text, higher for a better answer.
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

// RerankTimeout is how long a query waits for the Reranker, unless Options say otherwise.
const RerankTimeout = 2 * time.Second

// rerankClient calls a Reranker. A failure of the Reranker never makes a query fail.
type rerankClient struct {
	Reranker
	patience time.Duration
	folders  roots.Set
	store    *live.Store
	log      *slog.Logger

	mu   sync.Mutex
	told map[int]bool // folders for which the host has been logged
}

// newRerankClient returns the client for the Options; nil if there is no Reranker.
func (o Options) newRerankClient(folders roots.Set, store *live.Store) *rerankClient {
	if o.Reranker == nil {
		return nil
	}
	r := &rerankClient{Reranker: o.Reranker, patience: o.RerankTimeout, folders: folders, store: store, log: o.Logger, told: make(map[int]bool)}
	if r.patience <= 0 {
		r.patience = RerankTimeout
	}
	return r
}

// rankingQuestion returns the question for the ranking, with the scores of the Reranker if there is
// one. If the Reranker fails, a note says so.
func (ix *Index) rankingQuestion(ctx context.Context, phrasings []search.Phrasing, meant search.Filter, q Query) (asked ranking.Question, notes []notice.Note) {
	asked = ranking.Question{Text: q.Text, Phrasings: phrasings, Filter: meant, PassagesPerPage: q.TopK, Page: q.Page, SingleLines: q.SingleLines, MinScoreShare: q.MinScoreShare, Language: q.Language, FewerIfSubjectUnknown: q.FewerIfSubjectUnknown}
	if ix.reranking != nil && !q.WithoutReranker {
		asked.RerankScoresByText, notes = ix.rerank(ctx, asked)
	}
	return asked, notes
}

// rerank scores the best candidates for a question, in its first wording. If that fails or takes
// too long, there are no scores, and a note says so.
func (ix *Index) rerank(ctx context.Context, q ranking.Question) (scores map[string]float64, notes []notice.Note) {
	texts, err := syncs.ReadWithRepair(ctx, ix.syncer, func() (texts []string, err error) {
		err = ix.store.View(ctx, func(ctx context.Context, v search.View) error {
			q.SimilarFolders = ix.sameNames.foldersOf(v)
			texts, err = ranking.RerankTexts(ctx, v, q)
			return err
		})
		return texts, err
	})
	if err != nil || len(texts) < 2 {
		// the ranking will fail with the same error, or there is nothing to reorder
		return nil, nil
	}
	return ix.reranking.scoreTexts(ctx, q.Text, texts)
}

// scoreTexts requests the scores of texts.
func (r *rerankClient) scoreTexts(ctx context.Context, question string, texts []string) (map[string]float64, []notice.Note) {
	r.logHostOnce(ctx)
	patient, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	given, err := r.Rerank(patient, question, texts)
	switch {
	case err != nil && patient.Err() != nil && ctx.Err() == nil:
		return nil, []notice.Note{{Kind: notice.RerankerSlow, Model: r.ModelIdentity(), Duration: r.patience}}
	case err != nil:
		return nil, []notice.Note{{Kind: notice.RerankerFailed, Why: message.FromError(err)}}
	}
	scores := make(map[string]float64, len(texts))
	for i, text := range texts {
		scores[text] = given[i]
	}
	return scores, nil
}

// tellLimit is the maximum time that a query waits for the log entry about a host to be stored.
const tellLimit = time.Second

// logHostOnce logs which host receives passages of the folders, before that happens for the first
// time. If that fact cannot be stored, each process logs it.
func (r *rerankClient) logHostOnce(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.folders {
		f := r.store.Follower(i)
		if f == nil || r.told[i] {
			continue
		}
		r.told[i] = true
		host := r.Host()
		told, err := f.Value(ctx, syncs.RerankHostKey)
		if err == nil && told == host {
			continue
		}
		if host != "" {
			r.log.Warn("passages found in the folder, and questions, are sent to the host of the reranker from now on",
				"folder", r.folders[i].Dir(), "host", host, "model", r.ModelIdentity())
		}
		if err := f.SetValue(ctx, syncs.RerankHostKey, host); err != nil {
			r.log.Debug("could not note the host of the reranker", "error", err)
		}
	}
}
