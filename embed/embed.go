// Package embed turns texts into vectors whose cosine measures the similarity of the texts. The
// built-in provider needs only this program, and the provider local only a folder with a model; the
// others use the OpenAI embeddings format over HTTP.
//
// [New] returns the [Embedder] for a spec such as "ollama:bge-m3", and [PropertiesOf] what is known
// about the model without a request: its prefixes for queries and passages, its token limit, its
// weight in a score. [EmbedBuiltin] is the built-in embedding. A remote embedder limits its
// requests in flight, pauses while the server is down, cuts texts to the limit, and reports texts
// that a server refuses as [RefusedTextsError]. No text is sent unless the user has named a remote
// provider.
//
// [NewReranker] returns a [Reranker], whose model scores how well texts answer a question, and
// [NewLocalReranker] one that runs in this process.
//
// The package does not deal with documents or indexes: package index decides what is embedded, and
// when.
package embed

import (
	"cmp"
	"context"
	"strings"

	"vademecum/internal/base/message"
)

// TextKind is the purpose of a text. Several models require different prefixes for stored texts and
// queries.
type TextKind int

const (
	Passage TextKind = iota // a text to be stored and found
	Query                   // a query for stored texts
)

// Embedder turns texts into vectors.
//
// Embed returns one vector for each text, in the order of the texts. All vectors of one Embedder
// have the same number of dimensions, for both kinds and over all calls. Each has Euclidean length
// 1 (to float32 precision), and so is neither zero nor contains a NaN or an infinity; this includes
// the vector of an empty text. The caller owns the vectors.
//
// Any number of texts may be passed, including none: a provider with a limit splits them into
// batches itself. If the error is a RefusedTextsError, the texts in it have nil vectors, and all others
// have theirs. With any other error there may be no vectors at all, or those received so far, with
// nil for the other texts. Embed returns soon after ctx is done, with an error that wraps
// ctx.Err().
//
// All methods are safe for concurrent use.
type Embedder interface {
	// ModelIdentity returns the identity of what computes the vectors, such as "builtin/1", "ollama:bge-m3"
	// or "https://host/v1#model". Vectors of the same identity are comparable, even between runs of
	// the program, and others are not; so it includes every setting that changes vectors. It never
	// contains a key.
	ModelIdentity() string

	// Properties returns the same value at every call.
	Properties() Properties

	Embed(ctx context.Context, kind TextKind, texts []string) ([][]float32, error)
}

// Properties describes an Embedder apart from its vectors.
type Properties struct {
	// IsCheapToCompute means that computing a vector takes no longer than reading it: each process computes
	// vectors when it reads the texts, and none are saved. Otherwise one process computes them for
	// all.
	IsCheapToCompute bool

	// Semantic means that vectors represent meanings, and find texts without any word of the query.
	// Other vectors represent spellings, and only rerank what the words find.
	Semantic bool

	// InProcess means that this program computes the vectors on its own processors: perhaps a few
	// per second, and no faster with concurrent calls.
	InProcess bool

	// Weight is the weight of the vectors in a score, from 0 to 1; the words have the rest.
	Weight float64

	// Host is the host that receives the texts, with its port if it has one, such as
	// "api.openai.com"; "" if they stay on this machine.
	Host string

	Price *Price // nil if unknown
}

// IsWorthStoring reports whether vectors are worth saving.
func (p Properties) IsWorthStoring() bool { return !p.IsCheapToCompute }

// BatchSize returns how many texts should be passed to a call of Embed: few if texts take long,
// because the vectors are saved at the end of a call.
func (p Properties) BatchSize() int {
	if p.InProcess {
		return 8
	}
	return 64
}

// MaxUsefulConcurrentCalls is the maximum number of concurrent calls of Embed that are worthwhile. A remote
// provider has its own limit of requests, which these calls share.
const MaxUsefulConcurrentCalls = mostRequests

// IsWorthStoring reports whether the vectors of a model, given by its identity, are worth saving.
// The identity may be from another version of the program.
func IsWorthStoring(modelIdentity string) bool {
	scheme, _, _ := strings.Cut(modelIdentity, "/")
	return !providers[scheme].free
}

// DefaultSpec is the spec of the provider that is used if none is given.
const DefaultSpec = "builtin"

// SpecHelp describes the specs that New accepts, for people.
const SpecHelp = "builtin, local:NAME, local:FOLDER, ollama:MODEL, openai:MODEL or https://host/v1#MODEL"

// provider parses the specs of one scheme.
type provider struct {
	parse     func(spec, rest string) (Embedder, error) // rest follows the scheme
	variables []string                                  // environment variables that it reads
	// its models are free; their identities begin with the scheme and a slash
	free bool
}

var providers = map[string]provider{
	"builtin": {parse: parseBuiltin, free: true},
	"local":   {parse: parseLocal},
	"ollama":  {parse: parseOllama, variables: []string{"OLLAMA_HOST", anyKey}},
	"openai":  {parse: parseOpenAI, variables: []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", anyKey}},
	"http":    {parse: parseURL, variables: []string{anyKey}},
	"https":   {parse: parseURL, variables: []string{anyKey}},
}

// New returns the embedder for a spec:
//
//	builtin                      (also the empty string) in this process, without a model
//	local:NAME                   in this process, a fetched model of package hub
//	local:FOLDER                 in this process, a model in the layout of hubs: see package local
//	ollama:MODEL                 Ollama, at OLLAMA_HOST or 127.0.0.1:11434
//	openai:MODEL                 OpenAI, or the server in OPENAI_BASE_URL
//	https://host/v1#MODEL        any server with OpenAI's API; http:// too
//
// All but builtin accept settings after the model or before the '#', URL-encoded and joined by '&':
// "?dimensions=N" (not with local), and "query=PREFIX" and "passage=PREFIX" for the prefixes of
// queries and stored texts, in place of those known for the model (models.go, or its folder); an
// empty prefix means none.
//
// Keys come from the environment: VADEMECUM_API_KEY for any provider, or else OPENAI_API_KEY for
// openai: only.
//
// New opens no connection. If spec has none of these forms or a required key is missing, it returns
// a one-line error that says what to write instead.
func New(spec string) (Embedder, error) {
	e, err := NewIdentityOnly(spec)
	switch e := e.(type) {
	case *endpoint:
		return newRemoteEmbedder(*e)
	case unopenedFolder:
		return e.open()
	}
	return e, err
}

// NewIdentityOnly returns an Embedder that has the identity of a spec's model and returns no
// vectors. Unlike New, it needs no key. Its errors never repeat a part of the spec that may contain
// a key by mistake.
func NewIdentityOnly(spec string) (Embedder, error) {
	spec = cmp.Or(strings.TrimSpace(spec), DefaultSpec)
	scheme, rest, _ := strings.Cut(spec, ":")
	p, known := providers[scheme]
	if !known {
		return nil, message.Errorf("unknown embedding provider: use %s", SpecHelp)
	}
	e, err := p.parse(spec, rest)
	if err != nil {
		return nil, message.Errorf("embedding provider %s: %v", scheme, err)
	}
	return e, nil
}

// PropertiesOf returns the Properties of the model in a spec; the zero value for a spec that New
// cannot parse.
func PropertiesOf(spec string) Properties {
	e, err := NewIdentityOnly(spec)
	if err != nil {
		return Properties{}
	}
	return e.Properties()
}

// EnvironmentVariables returns the names of the environment variables that New reads for
// a spec.
func EnvironmentVariables(spec string) []string {
	scheme, _, _ := strings.Cut(strings.TrimSpace(spec), ":")
	return providers[scheme].variables
}
