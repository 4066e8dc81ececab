package cli

import (
	"slices"
	"time"

	"github.com/spf13/pflag"

	"vademecum/embed"
	"vademecum/index"
)

// rerankFlags are the flags that choose a reranker.
type rerankFlags struct {
	spec string // "" means none
}

func (r *rerankFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&r.spec, "rerank", "", "reorder the best passages with a reranker, given by its `URL` or folder: "+embed.RerankerSpecHelp)
}

// setReranker sets the reranker in the options of an index, if one is chosen.
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
		o.RerankTimeout = localRerankPatience
	}
	return nil
}

// localRerankPatience is used instead of [index.RerankTimeout] for a reranker in this process,
// which always answers, but only when it has computed.
const localRerankPatience = 10 * time.Second

// open creates the reranker that is chosen.
func (r *rerankFlags) open(embedder string) (index.Reranker, error) {
	if embed.IsLocalReranker(r.spec) {
		return embed.NewLocalReranker(r.spec)
	}
	return embed.NewReranker(r.spec, embedder)
}

// host returns the network host to which passages are sent for reranking; "" if they stay on this
// machine.
func (r *rerankFlags) host(embedder string) string {
	if r.spec == "" || embed.IsLocalReranker(r.spec) {
		return ""
	}
	on, err := embed.NewReranker(r.spec, embedder)
	if err != nil {
		return "" // the error has been reported before
	}
	return on.Host()
}

// usedVariables returns the names of the environment variables that the reranker reads.
func (r *rerankFlags) usedVariables() []string {
	if r.spec == "" || embed.IsLocalReranker(r.spec) {
		return nil
	}
	return embed.RerankerEnvironmentVariables()
}

// modelVariables returns the names of the environment variables that the models of an index read,
// sorted.
func (p *program) modelVariables() []string {
	all := slices.Concat(embed.EnvironmentVariables(p.embedSpec), p.reranker.usedVariables())
	slices.Sort(all)
	return slices.Compact(all)
}
