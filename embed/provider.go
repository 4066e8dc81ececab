package embed

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Default is the spec of the provider that is used when none is named.
const Default = "builtin"

// Specs tells people what New takes.
const Specs = "builtin, ollama:MODEL, openai:MODEL or https://host/v1#MODEL"

// provider understands the specs of one scheme.
type provider struct {
	parse     func(spec, rest string) (model, error) // rest stands after the scheme
	variables []string                               // of the environment that it heeds
	free      bool                                   // as its models are; the scheme and a slash begin their identities
}

var providers = map[string]provider{
	"builtin": {parse: parseBuiltin, free: true},
	"ollama":  {parse: parseOllama, variables: []string{"OLLAMA_HOST", anyKey}},
	"openai":  {parse: parseOpenAI, variables: []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", anyKey}},
	"http":    {parse: parseURL, variables: []string{anyKey}},
	"https":   {parse: parseURL, variables: []string{anyKey}},
}

// model is an Embedder that may have to be opened before it is asked for vectors.
type model interface {
	Embedder
	open() (Embedder, error)
}

// parse understands every spec. Its errors never repeat a part of the spec where a
// careless user may have put a key.
func parse(spec string) (model, error) {
	spec = cmp.Or(strings.TrimSpace(spec), Default)
	scheme, rest, _ := strings.Cut(spec, ":")
	p, known := providers[scheme]
	if !known {
		return nil, errors.New("unknown embedding provider: use " + Specs)
	}
	m, err := p.parse(spec, rest)
	if err != nil {
		return nil, fmt.Errorf("embedding provider %s: %w", scheme, err)
	}
	return m, nil
}

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
	m, err := parse(spec)
	if err != nil {
		return nil, err
	}
	return m.open()
}

// Named returns what New does, but to tell models apart only: it needs no key,
// and asks nobody for vectors.
func Named(spec string) (Embedder, error) { return parse(spec) }

// PropertiesOf returns those of the model that a spec names, and none for a spec that
// New refuses to parse.
func PropertiesOf(spec string) Properties {
	m, err := parse(spec)
	if err != nil {
		return Properties{}
	}
	return m.Properties()
}

// Variables names what of the environment New heeds for a spec.
func Variables(spec string) []string {
	scheme, _, _ := strings.Cut(strings.TrimSpace(spec), ":")
	return providers[scheme].variables
}
