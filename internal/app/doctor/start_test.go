package doctor

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/internal/app/bridge"
	"vademecum/internal/app/hosts"
)

// asServer is the environment variable that makes the test binary behave like a server, in the way
// that its value names.
const asServer = "DOCTOR_TEST_SERVER"

func TestMain(m *testing.M) {
	if how := os.Getenv(asServer); how != "" {
		serve(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(how string) {
	version := os.Getenv("GIVEN")
	switch how {
	case "fails":
		fmt.Fprint(os.Stderr, "vademecum: no such folder: x\nhint: did you mean y?\n")
		os.Exit(2)
	case "talks":
		fmt.Println("usage: something else")
		os.Exit(1)
	case "leaves a child":
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), asServer+"=sleeps")
		if err := c.Start(); err == nil {
			version = fmt.Sprint(c.Process.Pid)
		}
	case "sleeps":
		time.Sleep(time.Hour)
	case "silent":
		fmt.Fprintln(os.Stderr, `time=2026-01-01T00:00:00Z level=WARN msg="the server does not answer" url=http://x reason="it is \"away\""`)
		time.Sleep(time.Hour)
	}
	asked, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	if asked != string(bridge.InitializeRequest()) {
		os.Exit(3)
	}
	where, _ := os.Getwd()
	if how == "refuses" {
		fmt.Println(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"the server refuses the sign-in"}}`)
	} else {
		fmt.Printf("starting\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\",\"serverInfo\":{\"name\":%q,\"version\":%q}}}\n", filepath.ToSlash(where), version)
	}
	if how == "waits" {
		fmt.Fprintln(os.Stderr, "vademecum: no such folder: /away: waiting for it")
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// launched returns a Launch of the test binary that behaves in a way.
func launched(t *testing.T, how string, env ...string) hosts.Launch {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return hosts.Launch{Program: exe, Env: append(env, asServer+"="+how, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "GOCOVERDIR="+t.TempDir())}
}

// TestStart checks that a started program gets exactly the environment and the directory of the
// Launch.
func TestStart(t *testing.T) {
	t.Setenv("GIVEN", "not this")
	dir, remove, err := newEmptyFolder()
	if err != nil {
		t.Fatal(err)
	}
	got, err := startServer(t.Context(), launched(t, "answers", "GIVEN=1"), dir)
	if err != nil || got.Version != "1" || got.Name != filepath.ToSlash(dir) {
		t.Errorf("%+v, %v, in %s", got, err, dir)
	}
	if remove(); exists(dir) {
		t.Errorf("%s is left", dir)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestStartFails checks that the reason why a program did not answer is quoted from its output.
func TestStartFails(t *testing.T) {
	for how, want := range map[string]string{
		"fails":   "no such folder: x (did you mean y?)",
		"talks":   `it ends before it answers (exit status 1); it writes to stdout, where messages belong: "usage: something else"`,
		"refuses": "the server refuses the sign-in",
		"waits":   "no such folder: /away: waiting for it",
	} {
		_, err := startServer(t.Context(), launched(t, how), t.TempDir())
		if err == nil {
			t.Errorf("%s: no error", how)
			continue
		}
		why, hint := failureReason(err, strings.Clone)
		said := why.String()
		if hint != "" {
			said += " (" + hint + ")"
		}
		if said != want {
			t.Errorf("%s: %s, want %s", how, said, want)
		}
	}
}

// TestStartEnds checks that a program that never answers is ended after the time limit.
func TestStartEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := startServer(ctx, launched(t, "silent"), t.TempDir())
	if !errors.Is(err, errSilent) {
		t.Errorf("%v", err)
	}
}

func TestComplaintIn(t *testing.T) {
	for stderr, want := range map[string]string{
		"vademecum: unknown flag --embd\nhint: did you mean --embed?\n":                                   "unknown flag --embd|did you mean --embed?",
		"time=x level=WARN msg=\"no answer\" url=y reason=\"a \\\"b\\\"\"\n":                              `no answer: a "b"|`,
		"npm error code E404\nnpm error 404 Not Found\nA log is in /x\n":                                  "npm error 404 Not Found|",
		"Traceback:\n  line 3\nImportError: cannot import x\n":                                            "ImportError: cannot import x|",
		"\x1b[31mdocker: Error response from daemon: no image\x1b[0m\nRun 'docker run --help' for more\n": "docker: Error response from daemon: no image|",
		"nothing much\nlast words\n":                                                                      "last words|",
		"vademecum: no such folder: a: waiting for it\ntime=x level=WARN msg=later\n":                     "no such folder: a: waiting for it|",
		"": "|",
	} {
		why, hint := complaintIn(stderr)
		if got := why + "|" + hint; got != want {
			t.Errorf("%q: %s, want %s", stderr, got, want)
		}
	}
}

// TestShown checks that findings contain no secrets, even if a started program prints them.
func TestShown(t *testing.T) {
	trial := entryTrial{host: hosts.KnownHosts[0], entry: hosts.InstalledEntry{Name: "v"}, launch: hosts.Launch{Secrets: []string{"vdm_secret"}}}
	f := trial.newFinding(LevelFault, "wrong token: vdm_secret", "", "send another than vdm_secret")
	if strings.Contains(string(f.Description+f.Advice), "vdm_secret") || f.Advice != "send another than …" {
		t.Errorf("%+v", f)
	}
}

// TestReasonHidesBeforeItCuts checks that no part of a secret remains where a reason is cut, or
// where a log has quoted it.
func TestReasonHidesBeforeItCuts(t *testing.T) {
	const secret = `vdm_"secret"`
	trial := entryTrial{launch: hosts.Launch{Secrets: []string{secret}}}
	long := strings.Repeat("x", mostOfReason-len("vdm_"))
	for what, c := range map[string]*processError{
		"stderr": {errEnded, "vademecum: " + long + secret + "\nhint: " + long + secret, ""},
		"stdout": {errEnded, "", long[:300] + secret},
		"log":    {errEnded, fmt.Sprintf("time=x level=WARN msg=no reason=%q\n", long[3:]+secret), ""},
		"answer": {errors.New(long + secret), "", ""},
	} {
		why, hint := failureReason(c, trial.redact)
		if strings.Contains(string(why)+hint, "vdm_") || !strings.Contains(why.String(), "x…") {
			t.Errorf("%s: %s, %s", what, why, hint)
		}
	}
}

// TestWordsBeginWithALine checks that the end of the output is kept, beginning with a whole line.
func TestWordsBeginWithALine(t *testing.T) {
	var w outputTail
	for _, text := range []string{"vdm_secret\n", strings.Repeat("x", mostOfWords-5)} {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.writtenText(); strings.Trim(got, "x") != "" || len(got) != mostOfWords-5 {
		t.Errorf("%.20s", got)
	}
}
