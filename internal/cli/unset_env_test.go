package cli

import (
	"os"
	"testing"
)

func TestForgetUnset(t *testing.T) {
	for name, value := range map[string]string{
		"VADEMECUM_API_KEY": "${user_config.key}",
		"OPENAI_API_KEY":    "a-key-with-${user_config.key}",
		"OLLAMA_HOST":       "",
	} {
		t.Setenv(name, value)
	}
	if err := clearUnsetVariables(); err != nil {
		t.Fatal(err)
	}
	if value, set := os.LookupEnv("VADEMECUM_API_KEY"); set {
		t.Errorf("VADEMECUM_API_KEY is still %q", value)
	}
	for _, name := range []string{"OPENAI_API_KEY", "OLLAMA_HOST"} {
		if _, set := os.LookupEnv(name); !set {
			t.Errorf("%s was set and is not now", name)
		}
	}
}
