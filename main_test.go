package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"vademecum/docs/extract"
)

var update = flag.Bool("update", false, "write the golden files anew")

// asProgram makes the test binary behave as the program.
const asProgram = "VADEMECUM_AS_PROGRAM"

func TestMain(m *testing.M) {
	setFormat()
	extract.RunChild()
	if os.Getenv(asProgram) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"vademecum": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"unhex": unhex,
		},
		Setup: func(env *testscript.Env) error {
			cache := filepath.Join(env.WorkDir, "cache")
			env.Setenv("XDG_CACHE_HOME", cache) // Linux
			env.Setenv("LocalAppData", cache)   // Windows
			env.Setenv("HOME", env.WorkDir)     // macOS
			here, err := os.Getwd()
			env.Setenv("SAMPLES", filepath.Join(here, "sample_docs"))
			env.Setenv("FORMATS", filepath.Join(here, "testdata", "formats"))
			return err
		},
	})
}

// exits runs the program and holds it to an exit code. A last argument ">FILE"
// takes its output. With code 2 stderr must be one line and a hint, without 0
// it must not be silent.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: exits CODE [ARGUMENT...] [>FILE]")
	}
	want, args := args[0], args[1:]
	run := append([]string{"vademecum"}, args...)
	if file, ok := strings.CutPrefix(run[len(run)-1], ">"); ok {
		run = append([]string{"sh", "-c", `"$@" >` + file, "sh"}, run[:len(run)-1]...)
	}
	err := ts.Exec(run[0], run[1:]...)
	code := 0
	if ended := new(exec.ExitError); errors.As(err, &ended) {
		code = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	said := ts.ReadFile("stderr")
	if strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
	lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
	if code == 2 && (len(lines) != 2 || !strings.HasPrefix(lines[0], "vademecum: ") || !strings.HasPrefix(lines[1], "hint: ")) {
		ts.Fatalf("no line with a hint after it: %q", lines)
	}
	if code != 0 && said == "" {
		ts.Fatalf("nothing on stderr")
	}
}

// unhex writes a file of the bytes that another spells out.
func unhex(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: unhex FROM TO")
	}
	raw, err := hex.DecodeString(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), raw, 0o644))
}

// vademecum is a command that runs this program with an index of its own.
func vademecum(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), exe, args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

// host is a program that serves, driven over its pipes as a host does.
type host struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    interface{ Close() error }
	write func(string)
	lines *bufio.Scanner
	next  int
}

func newHost(t testing.TB, args ...string) *host {
	t.Helper()
	h := &host{t: t, cmd: vademecum(t, append([]string{"serve"}, args...)...)}
	in, err := h.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.in = in
	h.write = func(line string) {
		t.Helper()
		if _, err := fmt.Fprintln(in, line); err != nil {
			t.Fatal(err)
		}
	}
	h.lines = bufio.NewScanner(out)
	h.lines.Buffer(nil, 64<<20)
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.cmd.Process.Kill(); _ = h.cmd.Wait() })
	return h
}

// message is what the server sends.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (h *host) read() message {
	h.t.Helper()
	if !h.lines.Scan() {
		h.t.Fatalf("the server's output ended: %v", h.lines.Err())
	}
	var m message
	if err := json.Unmarshal(h.lines.Bytes(), &m); err != nil {
		h.t.Fatalf("not JSON on stdout: %s", h.lines.Text())
	}
	return m
}

// call sends a request and returns its answer; notifications in between are
// passed over.
func (h *host) call(method, params string) message {
	h.t.Helper()
	h.next++
	h.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, h.next, method, params))
	for {
		if m := h.read(); string(m.ID) == strconv.Itoa(h.next) {
			return m
		}
	}
}

const initialize = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`

func (h *host) initialize() {
	h.t.Helper()
	if m := h.call("initialize", initialize); m.Error != nil {
		h.t.Fatalf("initialize: %+v", m.Error)
	}
	h.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// tool calls a tool and returns the texts of all its blocks.
func (h *host) tool(name, arguments string) (text string, isError bool) {
	h.t.Helper()
	m := h.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	if m.Error != nil {
		h.t.Fatalf("%s: %+v", name, m.Error)
	}
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Content) == 0 {
		h.t.Fatalf("%s: %s, %v", name, m.Result, err)
	}
	var all []string
	for _, block := range r.Content {
		all = append(all, block.Text)
	}
	return strings.Join(all, "\n"), r.IsError
}

// TestImports guards the house: main → cli → mcp → index → {docs, embed}, with the
// readers of formats behind docs, and nothing below imports what is above.
func TestImports(t *testing.T) {
	allowed := map[string][]string{
		".":                 {"vademecum/internal/cli", "vademecum/docs/extract"},
		"internal/cli":      {"vademecum/mcp", "vademecum/index", "vademecum/embed", "vademecum/internal/present"},
		"mcp":               {"vademecum/index", "vademecum/docs", "vademecum/internal/present"},
		"index":             {"vademecum/docs", "vademecum/embed", "vademecum/internal/present", "vademecum/internal/cachedir", "vademecum/index/blob", "vademecum/index/lexical", "vademecum/index/rank", "vademecum/index/vector"},
		"index/blob":        nil,
		"index/lexical":     {"vademecum/embed", "vademecum/index/blob", "vademecum/index/rank"},
		"index/rank":        nil,
		"index/vector":      {"vademecum/index/blob", "vademecum/index/rank"},
		"docs":              {"vademecum/docs/extract", "vademecum/internal/present", "vademecum/internal/cachedir"},
		"docs/extract":      {"vademecum/internal/present", "vademecum/internal/cachedir"},
		"embed":             nil,
		"internal/present":  nil,
		"internal/cachedir": nil,
	}
	seen := 0
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		room := filepath.ToSlash(filepath.Dir(p))
		mayImport, known := allowed[room]
		if !known {
			t.Errorf("%s: the design knows no such folder", p)
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			ours := path == "vademecum" || strings.HasPrefix(path, "vademecum/")
			if ours && !slices.Contains(mayImport, path) {
				t.Errorf("%s imports %s", p, path)
			}
			if strings.HasPrefix(path, "github.com/modelcontextprotocol/") && room != "mcp" {
				t.Errorf("%s imports the SDK: only mcp may", p)
			}
			seen++
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d imports seen, %v", seen, err)
	}
}
