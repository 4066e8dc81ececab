package embed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/embed/local"
	"vademecum/embed/local/localtest"
)

func TestInProcess(t *testing.T) {
	architectures := localtest.Architectures
	if testing.Short() {
		architectures = architectures[:1] // others differ in what one goroutine does
	}
	for _, architecture := range architectures {
		t.Run(architecture, func(t *testing.T) {
			e, err := New("local:" + localtest.Write(t, architecture, localtest.SmallShape))
			if err != nil {
				t.Fatal(err)
			}
			defer e.(*inprocess).model.Close() // or some systems keep the folder
			testEmbedder(t, e)
		})
	}
}

func TestLocalSpecs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a?b: c")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip(err) // no system for such names
	}
	localtest.WriteTo(t, dir, "bert", localtest.SmallShape)
	plain, err := NewIdentityOnly("local:" + dir + "?")
	if err != nil {
		t.Fatal(err)
	}
	model := plain.ModelIdentity()
	if !strings.HasPrefix(model, "local:bert-40-") || IsWorthStoring(model) != plain.Properties().IsWorthStoring() {
		t.Errorf("the model is %s", model)
	}
	if here, away := plain.Properties(), PropertiesOf("ollama:all-minilm"); here.Weight != away.Weight || here.Semantic != away.Semantic || here.Host != "" {
		t.Errorf("in the process a model has %+v, and asked for %+v", here, away)
	}
	for settings, other := range map[string]bool{"?query=query:%20": false, "?passage=passage:%20": true, "?query=&passage=": false} {
		if e, err := New("local:" + dir + settings); err != nil || (e.ModelIdentity() != model) != other {
			t.Errorf("%s: %v, %v", settings, e, err)
		}
	}
	for spec, want := range map[string]string{
		"local:":                               "no model is named",
		"local:" + dir + "?dimensions=5":       "the settings after ? are query and passage",
		"local:" + dir + "?query=a&query=b":    "a setting after ? is given twice",
		"local:" + dir + "?query=%zz":          "not URL-encoded",
		"local:" + filepath.Dir(dir) + "/none": "there is no folder ",
	} {
		if _, err := New(spec); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "embedding provider local: ") {
			t.Errorf("%s: error %v, want %q", spec, err, want)
		}
	}
}

func TestAbsolute(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"model", "leaf-ir"} { // the latter is a name before it is a folder
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]string{
		"local:model":             "local:" + filepath.Join(here, "model"),
		"local:model?query=q:%20": "local:" + filepath.Join(here, "model") + "?query=q:%20",
		"local:elsewhere":         "local:elsewhere",
		"local:leaf-ir":           "local:leaf-ir",
		"ollama:model":            "ollama:model",
		"builtin":                 "builtin",
	} {
		if got := AbsoluteSpec(spec); got != want {
			t.Errorf("%s becomes %s, want %s", spec, got, want)
		}
	}
}

// TestPrefixesOfNames gives a model with a name the prefixes of its family, and what is said
// otherwise.
func TestPrefixesOfNames(t *testing.T) {
	given := "Q: "
	for _, c := range []struct {
		repository        string
		given             local.Prefixes
		question, passage string
	}{
		{"intfloat/multilingual-e5-small", local.Prefixes{}, "query: ", "passage: "},
		{"intfloat/multilingual-e5-small", local.Prefixes{Question: &given}, "Q: ", "passage: "},
		{"BAAI/bge-small-zh-v1.5", local.Prefixes{}, chineseBGEQuery, ""},
	} {
		p := withFamily(c.given, familyOf(c.repository))
		if *p.Question != c.question || *p.Passage != c.passage {
			t.Errorf("%s: %q and %q", c.repository, *p.Question, *p.Passage)
		}
	}
	if p := withFamily(local.Prefixes{}, familyOf("MongoDB/mdbr-leaf-ir")); p.Question != nil || p.Passage != nil {
		t.Error("what is not known is not left to the folder")
	}
}
