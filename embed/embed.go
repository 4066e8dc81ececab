// Package embed turns texts into vectors whose cosine measures how similar the texts are. The
// built-in provider needs nothing but this program, and local: a folder with a model; the others
// speak the OpenAI embeddings format over HTTP.
//
// [New] returns the [Embedder] that a spec such as "ollama:bge-m3" names, and [PropertiesOf] what
// is known of the model without a request: its prefixes for questions and passages, its limit of
// tokens, its share of a score. [BuiltinVector] is the built-in embedding. A remote embedder
// limits its requests in flight, pauses while the server is down, cuts texts to the limit, and
// reports texts that a server refuses as [RefusedTexts]. No text is sent unless the user has
// named a remote provider.
//
// [NewReranker] returns a [Reranker], whose model scores how well texts answer a question, and
// [NewLocalReranker] one that does so in this process.
//
// The package knows nothing of documents or indexes: package index decides what is embedded, and
// when.
package embed

import (
	"cmp"
	"context"
	"strings"

	"vademecum/internal/base/message"
)

// Kind is the purpose of a text. Several models want different prefixes before a stored
// text and a question.
type Kind int

const (
	Passage Kind = iota // a text to be stored and found
	Query               // a question that looks for stored texts
)

// An Embedder turns texts into vectors.
//
// Embed returns one vector for each text, in the order of the texts. All
// vectors of one Embedder have the same length (number of dimensions), for
// both kinds and over all calls. Each has unit Euclidean length (to float32
// precision), and so is neither zero nor holds a NaN or an infinity; this
// includes the vector of an empty text. The caller owns the vectors.
//
// Any number of texts may be passed, none included: a provider with a limit
// splits them into batches itself. When the error is a RefusedTexts, the texts that
// it does not name have their vectors, and those that it names have nil. With
// any other error there may be no vectors at all, or those that had come, and
// nil for the other texts. Embed returns soon after ctx is done, with an error
// that wraps ctx.Err().
//
// All methods are safe for concurrent use.
type Embedder interface {
	// Model returns the identity of what makes the vectors, such as
	// "builtin/1", "ollama:bge-m3" or "https://host/v1#model". Vectors of the
	// same identity are comparable, also over runs of the program, and others
	// are not; so it names every setting that changes vectors. It never
	// contains a key.
	Model() string

	// Properties returns the same at every call.
	Properties() Properties

	Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error)
}

// Properties are what an index has to know of an Embedder beside its vectors.
type Properties struct {
	// Free reports that a vector takes no longer to compute than to read: each process
	// computes it when it reads the text, and none is saved. Otherwise one process computes
	// them for all.
	Free bool

	// Semantic reports that vectors compare meanings, and find texts without any word of
	// the question. Others compare spellings, and only rerank what the words find.
	Semantic bool

	// InProcess reports that this program computes the vectors, on its own processors:
	// perhaps a few in a second, and no faster with more calls at once.
	InProcess bool

	// Weight is the share of the vectors in a score; the words have the rest.
	Weight float64

	// Host receives the texts, named with its port if it has one, such as
	// "api.openai.com"; "" when they stay on this machine.
	Host string

	Price *Price // nil if unknown
}

// IsWorthStoring reports whether vectors are worth saving.
func (p Properties) IsWorthStoring() bool { return !p.Free }

// CallTexts returns how many texts a call of Embed should get. The vectors are saved at the
// end of a call: where texts take long, it is few.
func (p Properties) CallTexts() int {
	if p.InProcess {
		return 8
	}
	return 64
}

// Workers is how many concurrent calls of Embed are worthwhile. A remote provider has its
// own limit of requests, which these calls share.
const Workers = mostRequests

// IsWorthStoring reports whether vectors of a model, given by its identity, are worth saving, also
// for another version of the program.
func IsWorthStoring(model string) bool {
	scheme, _, _ := strings.Cut(model, "/")
	return !providers[scheme].free
}

// Default is the spec of the provider used when none is named.
const Default = "builtin"

// Specs describes for people which specs New accepts.
const Specs = "builtin, local:NAME, local:FOLDER, ollama:MODEL, openai:MODEL or https://host/v1#MODEL"

// provider understands the specs of one scheme.
type provider struct {
	parse     func(spec, rest string) (Embedder, error) // rest follows the scheme
	variables []string                                  // environment variables that it reads
	free      bool                                      // as its models are; the scheme and a slash begin their identities
}

var providers = map[string]provider{
	"builtin": {parse: parseBuiltin, free: true},
	"local":   {parse: parseLocal},
	"ollama":  {parse: parseOllama, variables: []string{"OLLAMA_HOST", anyKey}},
	"openai":  {parse: parseOpenAI, variables: []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", anyKey}},
	"http":    {parse: parseURL, variables: []string{anyKey}},
	"https":   {parse: parseURL, variables: []string{anyKey}},
}

// New returns the provider that spec names:
//
//	builtin                      (also the empty string) on this machine, no model
//	local:NAME                   in this process, a model of package hub that was fetched
//	local:FOLDER                 likewise, a model as hubs lay it out: see package local
//	ollama:MODEL                 Ollama, at OLLAMA_HOST or 127.0.0.1:11434
//	openai:MODEL                 OpenAI, or what OPENAI_BASE_URL names
//	https://host/v1#MODEL        any server with OpenAI's API; http:// too
//
// All but builtin take settings after the model or before the '#', URL-encoded and joined
// by '&': "?dimensions=N" (not with local), and "query=PREFIX" and "passage=PREFIX" for
// the prefixes of questions and stored texts, in place of those known for the model
// (models.go, or its folder); an empty prefix puts nothing there.
//
// Keys come from the environment: VADEMECUM_API_KEY for any of them, else OPENAI_API_KEY
// for openai: alone.
//
// New opens no connection. It fails, with a one-line hint what to write instead, when
// spec has none of these forms or a needed key is missing.
func New(spec string) (Embedder, error) {
	e, err := NewForIdentity(spec)
	switch e := e.(type) {
	case *endpoint:
		return newRemoteEmbedder(*e)
	case unopenedFolder:
		return e.open()
	}
	return e, err
}

// NewForIdentity is New for callers that only need the model's identity: it needs no key,
// and its Embedder gives no vectors. Its errors never repeat a part of the spec where a
// careless user may have put a key.
func NewForIdentity(spec string) (Embedder, error) {
	spec = cmp.Or(strings.TrimSpace(spec), Default)
	scheme, rest, _ := strings.Cut(spec, ":")
	p, known := providers[scheme]
	if !known {
		return nil, message.Errorf("unknown embedding provider: use %s", Specs)
	}
	e, err := p.parse(spec, rest)
	if err != nil {
		return nil, message.Errorf("embedding provider %s: %v", scheme, err)
	}
	return e, nil
}

// PropertiesOf returns the Properties of the model that a spec names, and zero ones for a
// spec that New refuses to parse.
func PropertiesOf(spec string) Properties {
	e, err := NewForIdentity(spec)
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
