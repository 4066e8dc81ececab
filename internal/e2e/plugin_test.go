package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pluginFolder is the folder that Claude Code and Gemini CLI install: a manifest for each, and the
// skill that both read.
const pluginFolder = ".packaging/plugin"

// launch is how a manifest starts the program.
type launch struct {
	Command string
	Args    []string
}

// TestPluginServes starts the program as both manifests define, with the samples in place
// of the user's variable, and queries it.
func TestPluginServes(t *testing.T) {
	t.Parallel()
	samples, err := filepath.Abs(filepath.Join(repository, "sample_docs"))
	if err != nil {
		t.Fatal(err)
	}
	var claude struct {
		McpServers map[string]launch
		UserConfig map[string]struct{ Required bool }
	}
	readManifest(t, pluginFolder+"/.claude-plugin/plugin.json", &claude)
	var gemini struct {
		McpServers map[string]launch
		Settings   []struct{ EnvVar string }
	}
	readManifest(t, pluginFolder+"/gemini-extension.json", &gemini)
	if !claude.UserConfig["folder"].Required || len(gemini.Settings) != 1 {
		t.Fatalf("they do not ask for the folder: %+v, %+v", claude.UserConfig, gemini.Settings)
	}
	for variable, started := range map[string]launch{
		"${user_config.folder}":                claude.McpServers["notes"],
		"${" + gemini.Settings[0].EnvVar + "}": gemini.McpServers["vademecum"],
	} {
		if name := started.Command[strings.LastIndexAny(started.Command, "}")+1:]; name != "vademecum" {
			t.Errorf("%s starts %q", variable, started.Command)
		}
		at := slices.Index(started.Args, variable)
		if at < 0 {
			t.Fatalf("%v does not have %s", started.Args, variable)
		}
		args := slices.Clone(started.Args)
		args[at] = samples
		s := connect(t, vademecum(t, append(args, "--index", indexFile(t))...))
		if got, err := s.retrieve("高血压患者饮食要注意什么"); err != nil || len(got.Passages) == 0 {
			t.Errorf("%s: %v, %+v", variable, err, got)
		}
	}
}

// TestPluginVersions compares the versions of manifests with that of the change log, and
// the list of plugins with the plugin's folder.
func TestPluginVersions(t *testing.T) {
	t.Parallel()
	changes, err := os.ReadFile(filepath.Join(repository, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	released := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`).FindSubmatch(changes)
	if released == nil {
		t.Fatal("the change log has no version")
	}
	var market struct {
		Name    string
		Plugins []struct{ Name, Source string }
	}
	readManifest(t, ".claude-plugin/marketplace.json", &market)
	if len(market.Plugins) != 1 || market.Plugins[0].Source != "./"+pluginFolder {
		t.Fatalf("%+v", market)
	}
	for _, file := range []string{".claude-plugin/plugin.json", "gemini-extension.json"} {
		var manifest struct{ Name, Version string }
		readManifest(t, pluginFolder+"/"+file, &manifest)
		if manifest.Name != market.Plugins[0].Name || manifest.Version != string(released[1]) {
			t.Errorf("%s is %+v, want %s %s", file, manifest, market.Plugins[0].Name, released[1])
		}
	}
}

// TestSkillNamesTools checks that the skill names existing tools and parameters.
func TestSkillNamesTools(t *testing.T) {
	t.Parallel()
	file := filepath.Join(repository, pluginFolder, "skills", "search-notes", "SKILL.md")
	skill, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`^---\r?\nname: (\S+)\r?\ndescription: (.+?)\r?\n---\r?\n`).FindSubmatch(skill)
	if head == nil || string(head[1]) != filepath.Base(filepath.Dir(file)) || len(head[2]) > 1024 {
		t.Fatalf("its front matter is not as hosts want it: %.300q", skill)
	}
	s := connect(t, vademecum(t, "serve", t.TempDir(), "--index", indexFile(t)))
	raw, err := s.call("tools/list", "{}")
	if err != nil {
		t.Fatal(err)
	}
	var listed struct {
		Tools []struct {
			Name        string
			InputSchema struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(raw, &listed); err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, tool := range listed.Tools {
		known[tool.Name] = true
		for parameter := range tool.InputSchema.Properties {
			known[parameter] = true
		}
	}
	names := regexp.MustCompile("`([a-z_]+)`").FindAllSubmatch(skill, -1)
	if len(names) < 8 {
		t.Errorf("it names %d tools and parameters", len(names))
	}
	for _, name := range names {
		if !known[string(name[1])] {
			t.Errorf("it names %s, which is neither a tool nor a parameter", name[1])
		}
	}
}

func readManifest(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
