package cli

import (
	"slices"
	"time"

	"github.com/spf13/pflag"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/internal/base/message"
)

// rerankFlags are those by which a reranker is named.
type rerankFlags struct {
	spec     string // "": none
	patience time.Duration
}

func (r *rerankFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&r.spec, "rerank", "", "have a reranker put the best passages in order, by its `URL` or folder: "+embed.RerankerSpec)
	flags.DurationVar(&r.patience, "rerank-timeout", index.RerankPatience, "how long a question waits for the reranker, `TIME`; after that the order stays")
}

// setReranker gives an index the reranker that is named.
func (r *rerankFlags) setReranker(o *index.Options, embedder string) error {
	if r.spec == "" {
		return nil
	}
	if r.patience <= 0 {
		return usageError{message.Errorf("--rerank-timeout must be more than 0"), message.New("give a time such as 2s or 500ms")}
	}
	reranker, err := r.open(embedder)
	if err != nil {
		return usageError{error: err}
	}
	o.Reranker, o.RerankPatience = reranker, r.patience
	return nil
}

// open makes the reranker that is named.
func (r *rerankFlags) open(embedder string) (index.Reranker, error) {
	if embed.IsLocalReranker(r.spec) {
		return embed.NewLocalReranker(r.spec)
	}
	return embed.NewReranker(r.spec, embedder)
}

// host returns the machine that passages are sent to, "" where they are sent to none.
func (r *rerankFlags) host(embedder string) string {
	if r.spec == "" || embed.IsLocalReranker(r.spec) {
		return ""
	}
	on, err := embed.NewReranker(r.spec, embedder)
	if err != nil {
		return "" // reported before
	}
	return on.Host()
}

// usedVariables returns the names of the environment variables that the reranker reads.
func (r *rerankFlags) usedVariables() []string {
	if r.spec == "" || embed.IsLocalReranker(r.spec) {
		return nil
	}
	return embed.RerankerVariables()
}

// modelVariables returns the names of the environment variables that the models of an
// index read.
func (p *program) modelVariables() []string {
	all := slices.Concat(embed.EnvironmentVariables(p.embedSpec), p.reranker.usedVariables())
	slices.Sort(all)
	return slices.Compact(all)
}
