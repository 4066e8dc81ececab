package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestServeSurvivesBadLines(t *testing.T) {
	t.Parallel()
	h := newHost(t, manyNotes(t, 5), "--index", indexFile(t))
	h.initialize()
	for _, line := range []string{`{"jsonrpc":`, `garbage`, `{"jsonrpc":"2.0","id":1,}`, "\x00\x01"} {
		h.write(line)
		if m := h.read(); m.Error == nil || m.Error.Code != -32700 {
			t.Errorf("%q is answered with %+v", line, m)
		}
	}
	h.write("")
	if m := h.call("no/such/method", `{}`); m.Error == nil || m.Error.Code != -32601 {
		t.Errorf("an unknown method: %+v", m)
	}
	if m := h.call("resources/read", `{"uri":"file:///a\u0001b\u0085"}`); m.Error == nil {
		t.Errorf("a URI with control characters: %+v", m)
	}
	if text, isError := h.tool("retrieve_docs", `{"query": "visit number3"}`); isError || !strings.Contains(text, "0/3.md") {
		t.Errorf("after all that: %s", text)
	}
}

// TestServeOutlivesOddMessages checks that the server answers messages after a line that a decoder
// refuses.
func TestServeOutlivesOddMessages(t *testing.T) {
	t.Parallel()
	h := newHost(t, manyNotes(t, 3), "--index", indexFile(t))
	h.write("\ufeff")
	h.initialize()
	deep := func(n int) string {
		return `{"jsonrpc":"2.0","id":"odd","method":"ping","params":{"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	for line, want := range map[string]string{
		deep(1000):      `"odd"`,
		deep(1_000_000): `null`,
		`{"jsonrpc":"2.0","id":"odd","Method":"ping"}`:                            `"odd"`,
		`{"jsonrpc":"2.0","id":"odd","METHOD":"ping"}`:                            `"odd"`,
		`{"jsonRPC":"2.0","id":"odd","method":"ping"}`:                            `"odd"`,
		`{"jsonrpc":1,"jsonrpc":"2.0","id":"odd","method":"ping"}`:                `"odd"`,
		`{"jsonrpc":"2.0","id":"odd","method":null,"method":"ping"}`:              `"odd"`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                             `null`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:                              `1.5`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"odd\",\"method\":\"ping\",\"x\":\"\xff\"}": `"odd"`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"odd\",\x00\"method\":\"ping\"}":            `null`,
		`[{"jsonrpc":"2.0","id":"odd","method":"ping"}]`:                          `"odd"`,
		`[]`: `null`,
	} {
		got := h.answers(line, want)[want]
		if code := got.code(); code != -32600 && code != -32700 {
			t.Errorf("%.80q is answered with %+v", line, got)
		}
		if after := h.answers(`{"jsonrpc":"2.0","id":"after","method":"ping"}`+"\r", `"after"`); after[`"after"`].Error != nil || len(after) != 1 {
			t.Errorf("after %.80q: %+v", line, after)
		}
	}
	h.write(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`)
	h.write(`{"jsonrpc":"2.0","id":77,"result":{}}`)
	if after := h.answers(`{"jsonrpc":"2.0","id":"after","method":"ping"}`, `"after"`); len(after) != 1 {
		t.Errorf("responses are answered: %+v", after)
	}
}

// TestServeKeepsIDs checks that an ID is returned as it was written, and that a request is refused
// at once if its ID is in use.
func TestServeKeepsIDs(t *testing.T) {
	t.Parallel()
	h := newHost(t, manyNotes(t, 3), "--index", indexFile(t))
	h.initialize()
	for _, id := range []string{"9007199254740993", "-9007199254740993", "18446744073709551617", `"\ud800"`, `"a<&>b"`, `"7"`, "0"} {
		if m := h.answers(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`, id)[id]; m.Error != nil {
			t.Errorf("%s: %+v", id, m.Error)
		}
	}
	const stream = "9007199254740995"
	meta := func(more string) string {
		return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}` + more
	}
	h.write(`{"jsonrpc":"2.0","id":` + stream + `,"method":"subscriptions/listen","params":{` + meta(`,"notifications":{"resourcesListChanged":true}`) + `}}`)
	opened := h.read()
	for opened.Method != "notifications/subscriptions/acknowledged" {
		opened = h.read()
	}
	if !strings.Contains(string(opened.Params), `subscriptionId":`+stream) {
		t.Errorf("the stream is named %s", opened.Params)
	}
	if m := h.answers(`{"jsonrpc":"2.0","id":`+stream+`,"method":"ping"}`, stream)[stream]; m.code() != -32600 {
		t.Errorf("an ID in use is answered with %+v", m)
	}
	h.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + stream + `}}`)
	if m := h.answers(`{"jsonrpc":"2.0","id":`+stream+`,"method":"ping"}`, stream)[stream]; m.Error != nil {
		t.Errorf("an ID that is free again is answered with %+v", m)
	}
}

// TestServeBatches checks batches, which only protocol 2025-03-26 has.
func TestServeBatches(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 3)
	h := newHost(t, dir, "--index", indexFile(t))
	if m := h.call("initialize", strings.Replace(initialize, "2025-06-18", "2025-03-26", 1)); m.Error != nil {
		t.Fatal(m.Error)
	}
	h.write(`[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","method":"notifications/initialized"}]`)
	h.write(`[{"jsonrpc":"2.0","id":"list","method":"tools/call","params":{"name":"list_docs"}},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"ping","method":"ping"},5,{"jsonrpc":"2.0","id":"none","method":"no/such"}]`)
	if !h.lines.Scan() {
		t.Fatal("the server ended")
	}
	var all []serverMessage
	if err := json.Unmarshal(h.lines.Bytes(), &all); err != nil {
		t.Fatalf("%s: %v", h.lines.Text(), err)
	}
	got := make(map[string]int)
	for _, m := range all {
		got[string(m.ID)] = m.code()
	}
	if want := (map[string]int{`"list"`: 0, `"ping"`: 0, `"none"`: -32601, `null`: -32600}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("answered %v, want %v: %s", got, want, h.lines.Text())
	}

	later := newHost(t, dir, "--index", indexFile(t))
	later.initialize()
	answers := later.answers(`[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]`, `"a"`, `"b"`)
	if answers[`"a"`].code() != -32600 || answers[`"b"`].code() != -32600 {
		t.Errorf("2025-06-18 answers %+v", answers)
	}
}

// TestServeDoesNotAnswerTheCancelled checks that a cancelled request is not answered: the protocol
// requires no response, and hosts treat one as a fault of the server.
func TestServeDoesNotAnswerTheCancelled(t *testing.T) {
	t.Parallel()
	h := newHost(t, manyNotes(t, 3000), "--index", indexFile(t))
	h.initialize()
	h.write(`{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"index_docs","arguments":{"force":true}}}`)
	h.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"long","reason":"Esc"}}`)
	after := h.answers(`{"jsonrpc":"2.0","id":"after","method":"tools/call","params":{"name":"retrieve_docs","arguments":{"query":"warfarin visit"}}}`, `"after"`)
	if m, ok := after[`"long"`]; ok || after[`"after"`].Error != nil {
		t.Errorf("answered %+v, then %+v", m, after[`"after"`].Error)
	}
	if err := h.in.Close(); err != nil {
		t.Fatal(err)
	}
	for h.lines.Scan() {
		if strings.Contains(h.lines.Text(), `"long"`) {
			t.Errorf("answered %s", h.lines.Text())
		}
	}
}

// TestErrorsHaveCodes checks the codes of errors; 0 is not a valid one.
func TestErrorsHaveCodes(t *testing.T) {
	t.Parallel()
	h := newHost(t, manyNotes(t, 3), "--index", indexFile(t))
	for _, call := range []struct {
		method, params string
		code           int
	}{
		{"tools/list", `{}`, -32600}, // before initialize
		{"initialize", `7`, -32600},
		{"initialize", initialize, 0},
		{"initialize", initialize, -32600},
		{"tools/call", `{"name":7,"x":"` + strings.Repeat("long ", 10_000) + `"}`, -32602},
		{"prompts/get", `{"name":"answer_from_nothing"}`, -32602},
	} {
		m := h.call(call.method, call.params)
		if m.code() != call.code {
			t.Errorf("%s %.80s: %+v, want %d", call.method, call.params, m.Error, call.code)
		}
		if m.Error != nil && len(m.Error.Message) > 3000 {
			t.Errorf("%s: a message of %d bytes", call.method, len(m.Error.Message))
		}
	}
}
