package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/embed/local/localtest"
)

// A file of a model is neither waited for nor read without end.
func TestFilesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json"} {
		for kind, replace := range map[string]func(path string) error{
			"pipe":   mkfifo,
			"device": func(path string) error { return os.Symlink("/dev/zero", path) },
			"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				if _, err := os.Stat("/dev/zero"); err != nil && kind == "device" {
					t.Skip(err)
				}
				dir := localtest.Write(t, "bert", localtest.SmallShape)
				path := filepath.Join(dir, name)
				remove(t, dir, name)
				if err := replace(path); err != nil {
					t.Skip(err)
				}
				f, err := ReadModelFolder(dir, Prefixes{})
				if err == nil {
					_, err = f.OpenLazily()
				}
				if err == nil || !strings.Contains(err.Error(), path+": it is no regular file") {
					t.Errorf("error %v", err)
				}
			})
		}
	}
}

func TestFilesTooLarge(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int64{"config.json": mostConfig, "tokenizer.json": mostTokenizer, "modules.json": mostConfig} {
		t.Run(name, func(t *testing.T) {
			dir := localtest.Write(t, "bert", localtest.SmallShape)
			if err := os.Truncate(filepath.Join(dir, name), size+1); err != nil {
				t.Skip(err)
			}
			_, err := ReadModelFolder(dir, Prefixes{})
			if err == nil || !strings.Contains(err.Error(), name+" has ") || !strings.Contains(err.Error(), " MB, and is read up to ") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// The files of a model that another program fetched are links.
func TestLinkedFiles(t *testing.T) {
	t.Parallel()
	blobs, dir := localtest.Write(t, "bert", localtest.SmallShape), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "1_Pooling"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors", "modules.json", "1_Pooling/config.json"} {
		if err := os.Symlink(filepath.Join(blobs, name), filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	f, err := ReadModelFolder(dir, Prefixes{})
	if err == nil {
		_, err = f.OpenLazily()
	}
	if err != nil {
		t.Error(err)
	}
}
