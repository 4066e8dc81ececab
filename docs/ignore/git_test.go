package ignore

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestBesideGit compares what is left out of random trees by random patterns with what git leaves
// out, so many as VADEMECUM_BESIDE_GIT says. Tests need nothing but Go, so it runs only where that
// is set.
func TestBesideGit(t *testing.T) {
	count, _ := strconv.Atoi(os.Getenv("VADEMECUM_BESIDE_GIT"))
	if count == 0 {
		t.Skip("VADEMECUM_BESIDE_GIT is not set")
	}
	random := rand.New(rand.NewPCG(1, uint64(count)))
	differ := 0
	for range count {
		dir := t.TempDir()
		paths, ignores := randomTree(random)
		for p, text := range ignores {
			write(t, filepath.Join(dir, p), text)
		}
		for _, p := range paths {
			if _, err := os.Stat(filepath.Join(dir, p)); err != nil {
				write(t, filepath.Join(dir, p), "")
			}
		}
		git := exec.Command("git", "-c", "core.quotePath=false", "ls-files", "-z", "--others", "--ignored", "--exclude-standard")
		git.Dir = dir
		git.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%s, %v", out, err)
		}
		out, err := git.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if len(out) == 0 {
			want = nil
		}
		got := leftOut(t, dir, ".", nil, ignores, false)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			if differ++; differ < 20 {
				t.Errorf("%q leave out %q, by git %q", ignores, got, want)
			}
		}
		_ = os.RemoveAll(dir)
	}
	t.Logf("%d of %d trees differ", differ, count)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// randomTree returns paths, and the texts of ignore files by their paths.
func randomTree(random *rand.Rand) (paths []string, ignores map[string]string) {
	names := []string{"a", "b", "docs", "drafts", "keep.md", "d.md", "x y", "é", "[2024] n", "a.b"}
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	for range 3 + random.IntN(10) {
		var parts []string
		for range 1 + random.IntN(3) {
			parts = append(parts, pick(names)+pick([]string{"", "", "1"}))
		}
		paths = append(paths, strings.Join(parts, "/")+"/f"+pick([]string{"", ".md", ".txt", "é"}))
	}
	pieces := []string{"a", "b", "docs", "drafts", "keep.md", "d.md", "*", "**", "*.md", "?", "f*", "[a-d]*", "[!a]", "[[:alpha:]]", `\[2024\] n`, "x y", `x\ y`, "f*.t?t", "**a", "*1", "é", "f.md ", "[", "a.b", "***"}
	lines := func() string {
		var all []string
		for range 1 + random.IntN(4) {
			var parts []string
			for range 1 + random.IntN(3) {
				parts = append(parts, pick(pieces))
			}
			all = append(all, pick([]string{"", "", "!", `\!`, "#"}[:3])+pick([]string{"", "", "/", "**/"})+strings.Join(parts, "/")+pick([]string{"", "", "/", "/**", "/*"}))
		}
		return strings.Join(all, "\n") + pick([]string{"", "\n", "\r\n"})
	}
	ignores = map[string]string{".gitignore": lines()}
	if random.IntN(3) == 0 {
		ignores[path.Dir(paths[0])+"/.gitignore"] = lines()
	}
	return paths, ignores
}

// leftOut lists the files in a directory that are left out.
func leftOut(t *testing.T, dir, at string, set *RuleSet, ignores map[string]string, isOut bool) (all []string) {
	t.Helper()
	if !isOut {
		set = set.ForSubdir(at, []IgnoreFile{{".gitignore", ignores[strings.TrimPrefix(path.Join(at, ".gitignore"), "./")]}})
	}
	entries, err := os.ReadDir(filepath.Join(dir, at))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		p := path.Join(at, e.Name())
		if e.Name() == ".git" {
			continue
		}
		out := isOut
		if !out {
			_, out = set.patternFor(p, e.IsDir())
		}
		if e.IsDir() {
			all = append(all, leftOut(t, dir, p, set, ignores, out)...)
		} else if out {
			all = append(all, p)
		}
	}
	return all
}
