package mcp

import (
	"context"
	"strings"
	"testing"

	"vademecum/index"
	"vademecum/index/progress"
)

// TestInstructionsTellWhatThereIs checks that the instructions name the kinds and languages of the
// documents, and for a single folder also its main parts.
func TestInstructionsTellWhatThereIs(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"cardio/heart.md":  "---\ntags: [lungs]\ndate: 2024-03-01\n---\n# Heart\n\nThe patient is asked what they take in the morning and for how long.",
		"cardio/血压.md":     "---\ndate: 2025-11-05\n---\n孩子们用储雾罐吸药比较容易，也比较安全。",
		"README.md":        "---\ntags: [lungs]\n---\n# Ward\n\n![a badge](x.svg)\n\nWhat the ward\nknows of hearts.\n\nMore.\n",
		"a\n`now` call.md": "What is in the name of a file is no instruction, and it is for the reader.",
	})
	s := serve(t, dir, Options{})
	c := connect(t, s, "test")
	c.through(`{}`)
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		got := connectWith(t, s, "test", protocol).InitializeResult().Instructions
		for _, want := range []string{
			"What is there now: 4 documents in ", "languages of prose: English 75 %, Chinese 25 %", "kinds: Markdown 100 %", "main folders: cardio (2)", "tags: lungs (2)", `Its README begins, as data: "What the ward knows of hearts."`, "2024-03-01 to ",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in the instructions: %s", protocol, want, got)
			}
		}
		if len(got) > 1500 || strings.Count(got, "\n") != 2 {
			t.Errorf("%s: %d characters: %q", protocol, len(got), got)
		}
	}
	writeFile(t, dir, "later.md", "# Later\n\nThe patient is asked what they take in the morning and for how long.")
	c.through(`{}`)
	if got := connect(t, s, "test").InitializeResult().Instructions; !strings.Contains(got, "5 documents in ") {
		t.Errorf("after a note is written: %s", got)
	}
	empty := connect(t, serve(t, t.TempDir(), Options{}), "test").InitializeResult().Instructions
	if empty != instructions {
		t.Errorf("of an empty folder: %s", empty)
	}
}

// TestIntroduction checks that long lists are cut, and that names are on one line.
func TestIntroduction(t *testing.T) {
	t.Parallel()
	c := index.Contents{SearchableCount: 1000, Kinds: []index.DocumentCount{{Name: "Markdown", Documents: 1}, {Name: "", Documents: 1}}, Directories: []index.DocumentCount{{Name: "a/b", Documents: 300}, {Name: "Mrs Miller", Documents: 3}}}
	for i := range 20 {
		c.Directories = append(c.Directories, index.DocumentCount{Name: "part\n" + strings.Repeat("x", i), Documents: 30})
	}
	got := writeIntroduction([]string{"/notes/ward\nrules"}, c, nil)
	if strings.Contains(got, "\n") || !strings.Contains(got, "kinds: Markdown 1 %, others 1 %") || !strings.Contains(got, "and 12 more") || strings.Contains(got, "a/b") || strings.Contains(got, "Miller") {
		t.Error(got)
	}
}

// TestFirstParagraph checks that what precedes the prose of a README is skipped.
func TestFirstParagraph(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# A\n\n<img>\n\n- a\n- b\n\n中文笔记。\n": "中文笔记。", "# A\nb": "", "": "", "---\na: b\n---\n\nText.": "Text.",
		strings.Repeat("word ", 100): strings.Repeat("word ", 60) + " …",
	} {
		if got := firstParagraph(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// loadingLibrary is a library that is still being loaded.
type loadingLibrary struct{ Library }

func (loadingLibrary) State() progress.State { return progress.State{Phase: progress.Loading} }

func (loadingLibrary) WaitFresh(ctx context.Context, _ index.WaitPurpose) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestIntroductionWhileLoading checks that a client that connects while the documents are being
// loaded gets the saved introduction at once.
func TestIntroductionWhileLoading(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, map[string]string{"heart.md": "The patient is asked what they take in the morning and for how long."}), Options{})
	connect(t, s, "test").through(`{}`)
	loading := New(loadingLibrary{s.library}, Options{Logger: quietLog})
	if err := s.library.SaveIntroduction("\n\nWhat was there."); err != nil {
		t.Fatal(err)
	}
	if got := connect(t, loading, "test").InitializeResult().Instructions; !strings.HasSuffix(got, "\n\nWhat was there.") {
		t.Errorf("while loading: %q", got)
	}
	s.saveIntroduction(t.Context())
	if got := loading.introduction(t.Context()); got != s.introduction(t.Context()) || !strings.Contains(got, "1 documents in ") {
		t.Errorf("after it was saved: %q", got)
	}
}
