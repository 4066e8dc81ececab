package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"vademecum/internal/base/message"
)

// TestNotesOfLog checks that warnings are printed as notes in the language of the user, and that the
// stack of an internal error is not left out.
func TestNotesOfLog(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := &program{chosenLanguage: message.Chinese, stderr: &progressWriter{out: file}}
	log := slog.New(noteHandler{program: p, log: slog.NewTextHandler(p.stderr, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})})
	log.Info("nothing to tell")
	log.Warn("the index is built again", "folder", "/n", "reason", message.New("the index file was damaged"), "documents", 3)
	log.With("path", "a\nb.md").Error("could not index", "error", message.Errorf("damaged PDF"))
	log.Error("internal error", "stack", "main.go:1")
	p.stderr.flush()
	got, err := os.ReadFile(file.Name())
	want := "注意：正在重新建立索引（/n；索引文件已损坏）\n注意：无法索引（a; b.md；已损坏的 PDF）\nlevel=ERROR msg=\"internal error\" stack=main.go:1\n"
	if err != nil || string(got) != want {
		t.Errorf("it says\n%s, %v, want\n%s", got, err, want)
	}
}
