package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"vademecum/internal/app/manual"
	"vademecum/internal/base/message"
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

// TestUnknownVariables checks that environment variables with the prefix of the program that it
// does not read are reported.
func TestUnknownVariables(t *testing.T) {
	got := unknownVariables([]string{"PATH=/bin", "VADEMECUM_OCR=off", "VADEMECUM_API_KEY=x", "VADEMECUM_STORE_READ=", "VADEMECUM_TEST_EMBED=x", "VADEMECUM_APIKEY=y", "VADEMECUMX=1", "VADEMCUM_STORE=z", "VAD_STORE=z", "VADEMECUM_STORE_REED=u"})
	want := []unknownVariable{{"VADEMCUM_STORE", "VADEMECUM_STORE"}, {"VADEMECUM_APIKEY", "VADEMECUM_API_KEY"}, {"VADEMECUM_OCR", ""}, {"VADEMECUM_STORE_REED", "VADEMECUM_STORE_READ"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	page := string(manual.Markdown("commands", message.English))
	for _, name := range variables {
		if name != "FOLDER" && name != "IMAGE" && !strings.Contains(page, "`"+variablePrefix+name+"`") {
			t.Errorf("the manual does not tell of %s", name)
		}
	}
}
