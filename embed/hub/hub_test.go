package hub

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEndpoint refuses addresses over which others could send another model, or that have a
// password in them.
func TestEndpoint(t *testing.T) {
	for given, host := range map[string]string{
		"":                           "huggingface.co",
		" https://hf.example.com/x/": "hf.example.com",
		"http://127.0.0.1:8080":      "127.0.0.1:8080",
		"http://[::1]:8080":          "[::1]:8080",
		"http://localhost":           "localhost",
		"http://hf.example.com":      "",
		"hf.example.com":             "",
		"ftp://hf.example.com":       "",
		"https://u:p@hf.example.com": "",
		"https://":                   "",
		"https://hf.example.com?x=y": "",
	} {
		t.Setenv(endpointVariable, given)
		h, err := FromEnvironment()
		if host == "" {
			if err == nil || !strings.Contains(err.Error(), "HF_ENDPOINT must be an address") || strings.Contains(err.Error(), "u:p") {
				t.Errorf("%q: %v", given, err)
			}
			continue
		}
		if err != nil || h.Host() != host {
			t.Errorf("%q: %v, %v", given, h, err)
		}
	}
}

// TestModels holds the table to what its fields are said to be.
func TestModels(t *testing.T) {
	for _, m := range Models {
		if commit, err := hex.DecodeString(m.Commit); err != nil || len(commit) != 20 {
			t.Errorf("%s: the commit is %q", m.Name, m.Commit)
		}
		for path, sum := range m.sums {
			if raw, err := hex.DecodeString(sum); err != nil || len(raw) != 32 || !wantedFiles.MatchString(path) {
				t.Errorf("%s: %s has the sum %q", m.Name, path, sum)
			}
		}
	}
}

// TestMeant tells names from paths and other providers.
func TestMeant(t *testing.T) {
	for spec, want := range map[string]string{
		"local:leaf-ir": "leaf-ir", " local:e5-small?query=x ": "e5-small",
		"leaf-ir": "", "ollama:leaf-ir": "", "local:./leaf-ir": "", "local:leaf": "", "local:": "", "": "",
	} {
		if m, ok := ModelOfSpec(spec); ok != (want != "") || ok && m.Name != want {
			t.Errorf("%q means %q, %v", spec, m.Name, ok)
		}
	}
}

// TestFolder takes names and paths.
func TestFolder(t *testing.T) {
	newTestHub(t)
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("weights", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("tiny", 0o700); err != nil {
		t.Fatal(err)
	}
	for given, says := range map[string]string{
		"tiny":                       "has not been downloaded", // a name comes first
		"tinny":                      `there is no model called "tinny": did you mean tiny?`,
		"entirely-different":         `there is no model called "entirely-different", only tiny, leaf-ir, bge-small-en`,
		"weights":                    "weights is a file: a model is the folder",
		"./none":                     "there is no folder ./none with a model",
		"./tiny":                     "",
		filepath.Join(dir, "tiny"):   "",
		filepath.Join(dir, "no/way"): "there is no folder",
	} {
		found, err := Folder(given)
		switch {
		case says == "" && (err != nil || found != given):
			t.Errorf("%s: %s, %v", given, found, err)
		case says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%s: %v, want %s", given, err, says)
		}
	}
}
