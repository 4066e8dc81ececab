package present

import (
	"os/exec"
	"runtime"
	"testing"
)

// TestShellWord: a shell that is given the word has the argument that was meant.
func TestShellWord(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its shells quote in another way")
	}
	for _, arg := range []string{"notes", "", "my notes", `my no'tes "x"`, `what "x y"`, `"blue inhaler"`, "$HOME", "a`b`", `back\slash`, "a!b", "~", "病历 2024", "a;b&c|d<e>f", "{a,b}", "#x", "a*?[b]"} {
		got, err := exec.Command("sh", "-c", "printf %s "+ShellWord(arg)).Output()
		if err != nil || string(got) != arg {
			t.Errorf("%q is %s, which is %q, %v", arg, ShellWord(arg), got, err)
		}
	}
	for arg, want := range map[string]string{"a\tb": `$'a\tb'`, "it's\x1b[31m": `$'it\'s\x1b[31m'`, "bad\xff\"": `$'bad\xff"'`, "notes": "notes", "my notes": `"my notes"`} {
		if got := ShellWord(arg); got != want {
			t.Errorf("%q is %s, want %s", arg, got, want)
		}
	}
}
