// Package embed turns texts into vectors whose cosine tells how alike the
// texts are. The built-in provider needs nothing but this program; the others
// speak the OpenAI embeddings format over HTTP.
package embed

import (
	"context"
	"fmt"
	"strings"
)

// Kind tells a provider what a text is for. Several models want a different
// prefix before a stored text and before a question.
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
// splits them into batches itself. When the error is a Refused, the texts that
// it does not name have their vectors, and those that it names have nil. With
// any other error there may be no vectors at all, or those that had come, and
// nil for the other texts. Embed returns soon after ctx is done, with an error
// that wraps ctx.Err().
//
// Both methods are safe for concurrent use.
type Embedder interface {
	// Model returns the identity of what makes the vectors, such as
	// "builtin/1", "ollama:bge-m3" or "https://host/v1#model". Vectors of the
	// same identity are comparable, also over runs of the program, and others
	// are not; so it names every setting that changes vectors. It never
	// contains a key.
	Model() string

	Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error)
}

// CallTexts is how many texts a call of Embed is best given.
const CallTexts = 64

// Workers is how many calls of Embed are worth having under way at once. A
// remote provider has its own limit of requests, which these calls share.
const Workers = mostRequests

// IsBuiltin tells, by its identity, the built-in provider of this or another
// version from a model that knows what words mean. Its vectors compare how texts
// are written, and cost nothing: see Vector.
func IsBuiltin(model string) bool { return strings.HasPrefix(model, builtinName) }

// New returns the provider that spec names:
//
//	builtin                      (also the empty string) on this machine, no model
//	ollama:MODEL                 Ollama, at OLLAMA_HOST or 127.0.0.1:11434
//	openai:MODEL                 OpenAI, or what OPENAI_BASE_URL names
//	https://host/v1#MODEL        any server with OpenAI's API; http:// too
//
// All but builtin take settings after the model or before the '#', URL-encoded
// and joined by '&': "?dimensions=N", and "query=PREFIX" and "passage=PREFIX"
// for what is put before a question and a stored text instead of what the model
// is known to want (models.go); an empty prefix puts nothing there.
//
// Keys come from the environment: VADEMECUM_API_KEY for any of them, else
// OPENAI_API_KEY for openai: alone.
//
// New opens no connection. It fails, in one line that says what to write
// instead, when spec has none of these forms or a needed key is missing.
func New(spec string) (Embedder, error) {
	if isBuiltin(spec) {
		return builtin{}, nil
	}
	e, err := parseEndpoint(spec)
	if err != nil {
		return nil, err
	}
	return newRemote(e)
}

// Named returns what New does, but to tell models apart only: it needs no key,
// and embeds nothing.
func Named(spec string) (Embedder, error) {
	if isBuiltin(spec) {
		return builtin{}, nil
	}
	e, err := parseEndpoint(spec)
	return named(e.identity), err
}

// named is the name of a model that is not to be asked.
type named string

func (n named) Model() string { return string(n) }

func (n named) Embed(context.Context, Kind, []string) ([][]float32, error) {
	return nil, fmt.Errorf("%s is not to be asked now", string(n))
}

// Remote returns the host, with its port if one is named, that will receive
// the texts when spec is used, such as "api.openai.com". It returns "" when
// they stay on this machine (the built-in provider or a loopback address) and
// for a spec that New refuses to parse.
func Remote(spec string) string {
	if isBuiltin(spec) {
		return ""
	}
	e, err := parseEndpoint(spec)
	if err != nil || e.loopback() {
		return ""
	}
	return e.base.Host
}

func isBuiltin(spec string) bool {
	s := strings.TrimSpace(spec)
	return s == "" || s == "builtin"
}
