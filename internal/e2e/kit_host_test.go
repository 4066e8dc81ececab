package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

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

// serverMessage is a message from the server.
type serverMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (m serverMessage) code() int {
	if m.Error == nil {
		return 0
	}
	return m.Error.Code
}

func (h *host) read() serverMessage {
	h.t.Helper()
	if !h.lines.Scan() {
		h.t.Fatalf("the server's output ended: %v", h.lines.Err())
	}
	var m serverMessage
	if err := json.Unmarshal(h.lines.Bytes(), &m); err != nil {
		h.t.Fatalf("not JSON on stdout: %s", h.lines.Text())
	}
	return m
}

// call sends a request and returns the response; it ignores notifications before that.
func (h *host) call(method, params string) serverMessage {
	h.t.Helper()
	h.next++
	h.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, h.next, method, params))
	for {
		if m := h.read(); string(m.ID) == strconv.Itoa(h.next) {
			return m
		}
	}
}

// answers writes lines, and returns the responses to the requests with these IDs, given as JSON.
// Notifications are left out.
func (h *host) answers(lines string, ids ...string) map[string]serverMessage {
	h.t.Helper()
	defer h.endAfter(longestWait)()
	h.write(lines)
	all := make(map[string]serverMessage)
	for _, id := range ids {
		for all[id].ID == nil {
			if m := h.read(); m.ID != nil {
				all[string(m.ID)] = m
			}
		}
	}
	return all
}

// endAfter ends a server that sends nothing for too long, unless callOff is called.
func (h *host) endAfter(limit time.Duration) (callOff func()) {
	timer := time.AfterFunc(limit, func() { _ = h.cmd.Process.Kill() })
	return func() { timer.Stop() }
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

// settle waits until the server has indexed everything.
func (h *host) settle() string {
	h.t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); ; {
		text, failed := h.tool("index_docs", `{}`)
		if failed || !strings.Contains(text, "goes on by itself") {
			return text
		}
		if time.Now().After(deadline) {
			h.t.Fatalf("not through: %s", text)
		}
	}
}
