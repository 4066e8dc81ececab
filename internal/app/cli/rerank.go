package cli

import (
	"slices"
	"time"

	"github.com/spf13/pflag"

	"vademecum/embed"
	"vademecum/index"
)

// rerankFlags are those by which a reranker is named.
type rerankFlags struct {
	spec string // "": none
}

func (r *rerankFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&r.spec, "rerank", "", "have a reranker put the best passages in order, by its `URL` or folder: "+embed.RerankerSpec)
}

// setReranker gives an index the reranker that is named.
func (r *rerankFlags) setReranker(o *index.Options, embedder string) error {
	if r.spec == "" {
		return nil
	}
	reranker, err := r.open(embedder)
	if err != nil {
		return usageError{error: err}
	}
	o.Reranker = reranker
	if embed.IsLocalReranker(r.spec) {
		o.RerankPatience = localRerankPatience
	}
	return nil
}

// localRerankPatience is how long a question waits for a model in this process, instead of
// [index.RerankPatience]: it needs as long as it computes, and is never away.
const localRerankPatience = 10 * time.Second

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
