package embed

import (
	"slices"
	"testing"
)

// TestVariables: New heeds those that are named, and no others.
func TestVariables(t *testing.T) {
	all := []string{"OLLAMA_HOST", "OPENAI_API_KEY", "OPENAI_BASE_URL", "VADEMECUM_API_KEY"}
	for spec, model := range map[string]string{"openai:m": "m", "ollama:m": "m", "https://example.org/v1#m": "m"} {
		for _, name := range all {
			for _, other := range all {
				t.Setenv(other, "")
			}
			plain := endpointOf(t, spec)
			if plain.model != model {
				t.Fatal(plain)
			}
			t.Setenv(name, "http://127.0.0.1:7/v1")
			set := endpointOf(t, spec)
			heeded := set.key != plain.key || set.base.String() != plain.base.String()
			if named := slices.Contains(EnvironmentVariables(spec), name); heeded != named {
				t.Errorf("%s: %s is heeded: %v, named: %v", spec, name, heeded, named)
			}
		}
	}
	if names := EnvironmentVariables("builtin"); names != nil {
		t.Error(names)
	}
}

func endpointOf(t *testing.T, spec string) *endpoint {
	t.Helper()
	m, err := NewIdentityOnly(spec)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*endpoint)
}
