package embed

import (
	"strings"
	"testing"
)

func TestNew(t *testing.T) {
	const env = "OPENAI_API_KEY=sk-openai "
	for _, tt := range []struct {
		env, spec                    string
		model, base, key, remoteHost string
	}{
		{env, "openai:text-embedding-3-small", "openai:text-embedding-3-small", "https://api.openai.com/v1", "sk-openai", "api.openai.com"},
		{env, "openai:m?dimensions=512", "openai:m?dimensions=512", "https://api.openai.com/v1", "sk-openai", "api.openai.com"},
		{env + "VADEMECUM_API_KEY=sk-v", "openai:m", "openai:m", "https://api.openai.com/v1", "sk-v", "api.openai.com"},
		{env + "OPENAI_BASE_URL=https://api.openai.com/v1/", "openai:m", "openai:m", "https://api.openai.com/v1", "sk-openai", "api.openai.com"},
		{env + "OPENAI_BASE_URL=https://Proxy.example/x/v1", "openai:m", "https://proxy.example/x/v1#m", "https://proxy.example/x/v1", "sk-openai", "proxy.example"},
		{"OPENAI_BASE_URL=http://localhost:1234/v1", "openai:m", "http://localhost:1234/v1#m", "http://localhost:1234/v1", "", ""},

		{env, "ollama:bge-m3", "ollama:bge-m3", "http://127.0.0.1:11434/v1", "", ""},
		{"", "ollama:hf.co/a/b:Q4?dimensions=256", "ollama:hf.co/a/b:Q4?dimensions=256", "http://127.0.0.1:11434/v1", "", ""},
		{"OLLAMA_HOST=0.0.0.0", "ollama:m", "ollama:m", "http://127.0.0.1:11434/v1", "", ""},
		{"OLLAMA_HOST=0.0.0.0:8080", "ollama:m", "ollama:m", "http://127.0.0.1:8080/v1", "", ""},
		{"OLLAMA_HOST=:8080", "ollama:m", "ollama:m", "http://127.0.0.1:8080/v1", "", ""},
		{"OLLAMA_HOST=gpu.lan", "ollama:m", "ollama:m", "http://gpu.lan:11434/v1", "", "gpu.lan:11434"},
		{"OLLAMA_HOST=gpu.lan:99", "ollama:m", "ollama:m", "http://gpu.lan:99/v1", "", "gpu.lan:99"},
		{"OLLAMA_HOST=http://gpu.lan:99/", "ollama:m", "ollama:m", "http://gpu.lan:99/v1", "", "gpu.lan:99"},
		{"OLLAMA_HOST=https://ollama.example/api/v1", "ollama:m", "ollama:m", "https://ollama.example/api/v1", "", "ollama.example"},
		{`OLLAMA_HOST="gpu.lan:99"`, "ollama:m", "ollama:m", "http://gpu.lan:99/v1", "", "gpu.lan:99"},
		{"OLLAMA_HOST=::1", "ollama:m", "ollama:m", "http://[::1]:11434/v1", "", ""},
		{"OLLAMA_HOST=[::]:99", "ollama:m", "ollama:m", "http://127.0.0.1:99/v1", "", ""},
		{"OLLAMA_HOST=http://[fd00::1]", "ollama:m", "ollama:m", "http://[fd00::1]/v1", "", "[fd00::1]"},

		{env, "https://host/v1#m", "https://host/v1#m", "https://host/v1", "", "host"},
		{"VADEMECUM_API_KEY=sk-v", "https://Host/v1/#BAAI/bge-m3", "https://host/v1#BAAI/bge-m3", "https://host/v1", "sk-v", "host"},
		{"", "https://host/v1/embeddings#m", "https://host/v1#m", "https://host/v1", "", "host"},
		{"", "https://host/v1?dimensions=512#m", "https://host/v1?dimensions=512#m", "https://host/v1", "", "host"},
		{"", "https://host/v1#m?dimensions=512", "https://host/v1?dimensions=512#m", "https://host/v1", "", "host"},
		{"", "ollama:nomic-embed-text", "ollama:nomic-embed-text?passage=search_document:%20", "http://127.0.0.1:11434/v1", "", ""},
		{"", "ollama:nomic-embed-text?passage=", "ollama:nomic-embed-text", "http://127.0.0.1:11434/v1", "", ""},
		{"", "ollama:nomic-embed-text?query=q:&dimensions=256", "ollama:nomic-embed-text?dimensions=256&passage=search_document:%20", "http://127.0.0.1:11434/v1", "", ""},
		{"", "https://host/v1?passage=a%26b%3F&query=x#m", "https://host/v1?passage=a&b%3F#m", "https://host/v1", "", "host"},
		{"", "https://host/v1#m?passage=a%25%20b+c&dimensions=3", "https://host/v1?dimensions=3&passage=a%25%20b%20c#m", "https://host/v1", "", "host"},
		{"", "https://api.jina.ai/v1#jina-embeddings-v3", "https://api.jina.ai/v1?task=retrieval.passage#jina-embeddings-v3", "https://api.jina.ai/v1", "", "api.jina.ai"},
		{"", "https://api.jina.ai/v1#jina-embeddings-v2-base-zh", "https://api.jina.ai/v1#jina-embeddings-v2-base-zh", "https://api.jina.ai/v1", "", "api.jina.ai"},
		{"", "http://127.0.0.1:1234/v1#m", "http://127.0.0.1:1234/v1#m", "http://127.0.0.1:1234/v1", "", ""},
		{"", "http://[::1]:1234/v1#m", "http://[::1]:1234/v1#m", "http://[::1]:1234/v1", "", ""},
		{"", "http://[::ffff:127.0.0.1]/v1#m", "http://[::ffff:127.0.0.1]/v1#m", "http://[::ffff:127.0.0.1]/v1", "", ""},
		{"", "http://localhost.example/v1#m", "http://localhost.example/v1#m", "http://localhost.example/v1", "", "localhost.example"},
	} {
		t.Run(tt.env+tt.spec, func(t *testing.T) {
			setEnvironment(t, tt.env)
			e, err := New(tt.spec)
			if err != nil {
				t.Fatal(err)
			}
			r := e.(*remote)
			if r.ModelIdentity() != tt.model || r.base.String() != tt.base || r.key != tt.key {
				t.Errorf("model %q at %q with key %q, want %q at %q with %q",
					r.ModelIdentity(), r.base, r.key, tt.model, tt.base, tt.key)
			}
			if got := PropertiesOf(tt.spec).Host; got != tt.remoteHost {
				t.Errorf("Host = %q, want %q", got, tt.remoteHost)
			}
		})
	}
}

// setEnvironment sets the NAME=value words of env and clears the rest.
func setEnvironment(t *testing.T, env string) {
	clearEnvironment(t)
	for _, word := range strings.Fields(env) {
		name, value, _ := strings.Cut(word, "=")
		t.Setenv(name, value)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct{ env, spec, want string }{
		{"", "sk-secret", "use builtin, local:NAME, local:FOLDER, ollama:MODEL, openai:MODEL or https://host/v1#MODEL"},
		{"", "builtin?dimensions=3", "unknown embedding provider"},
		{"", "builtin:sk-secret", "write builtin"},
		{"", "gpt:x", "unknown embedding provider"},
		{"", "openai:m", "set OPENAI_API_KEY"},
		{"OPENAI_API_KEY=k", "openai:", "no model is named"},
		{"OPENAI_API_KEY=k", "openai", "no model is named"},
		{"OPENAI_API_KEY=k", "openai:m?dimension=3", "?dimensions=512"},
		{"OPENAI_API_KEY=k", "openai:m?dimensions=0", "above 0"},
		{"OPENAI_API_KEY=k", "openai:m?dimensions=many", "above 0"},
		{"OPENAI_API_KEY=k OPENAI_BASE_URL=proxy", "openai:m", "OPENAI_BASE_URL: not an address"},
		{"OPENAI_API_KEY=k OPENAI_BASE_URL=https://proxy/v1?key=sk-secret", "openai:m", "OPENAI_BASE_URL: must have no '?'"},
		{"", "ollama:?dimensions=3", "no model is named"},
		{"OLLAMA_HOST=ftp://host", "ollama:m", "OLLAMA_HOST: not a host"},
		{"OLLAMA_HOST=host:port", "ollama:m", "OLLAMA_HOST: not a host"},
		{"", "https://host/v1", "no model is named"},
		{"", "https://#m", "not an address"},
		{"", "https:host#m", "not an address"},
		{"", "https://host/v1?api_key=sk-secret#m", "?dimensions=512"},
		{"", "https://host/v1?dimensions=3#m?dimensions=3", "twice"},
		{"", "https://host/v1?dimensions=3#m?query=x", "twice"},
		{"", "https://host/v1?dimensions=3&dimensions=3#m", "twice"},
		{"", "ollama:m?query=%zz", "not URL-encoded"},
		{"", "https://me:sk-secret@host/v1#m", "VADEMECUM_API_KEY"},
		{"", "https://host/v1\n#m", "not an address"},
	} {
		t.Run(tt.env+tt.spec, func(t *testing.T) {
			setEnvironment(t, tt.env)
			e, err := New(tt.spec)
			if err == nil {
				t.Fatalf("New gives %s, want an error", e.ModelIdentity())
			}
			if got := err.Error(); !strings.Contains(got, tt.want) || strings.ContainsAny(got, "\n") || strings.Contains(got, "sk-secret") {
				t.Errorf("error %q, want one line with %q and no key", got, tt.want)
			}
		})
	}
}

func TestHostOfRest(t *testing.T) {
	clearEnvironment(t)
	for spec, want := range map[string]string{
		"": "", "builtin": "", "nonsense": "", "openai:": "",
		"openai:m": "api.openai.com", // also without a key
	} {
		if got := PropertiesOf(spec).Host; got != want {
			t.Errorf("the host of %q is %q, want %q", spec, got, want)
		}
	}
}

// TestNamed: what costs nothing is to be had, and what does is not asked, also where
// there would be no key to ask with.
func TestNamed(t *testing.T) {
	setEnvironment(t, "OPENAI_BASE_URL=")
	for spec, model := range map[string]string{"": "builtin/1", "openai:m": "openai:m", "ollama:m": "ollama:m"} {
		e, err := NewIdentityOnly(spec)
		if err != nil || e.ModelIdentity() != model {
			t.Fatal(spec, e, err)
		}
		if _, err := e.Embed(t.Context(), Passage, []string{"a text"}); (err == nil) != e.Properties().IsCheapToCompute {
			t.Errorf("%q gives vectors with the error %v", spec, err)
		}
	}
	if e, err := NewIdentityOnly("openai:"); e != nil || err == nil {
		t.Errorf("no model is named %v, %v", e, err)
	}
}
