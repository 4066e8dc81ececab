package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

// exchange passes lines to a connection, answers what is passed on like a server without features,
// and returns the messages that were passed on and what the client receives.
func exchange(t testing.TB, in []byte) (passed []jsonrpc.Message, out []byte) {
	t.Helper()
	var heard bytes.Buffer
	c := newStdioTransport(io.NopCloser(bytes.NewReader(in)), closer{&heard})
	for {
		m, err := c.Read(context.Background())
		if errors.Is(err, io.EOF) {
			return passed, heard.Bytes()
		}
		if err != nil {
			t.Fatal(err)
		}
		passed = append(passed, m)
		request, ok := m.(*jsonrpc.Request)
		if !ok || !request.IsCall() {
			continue
		}
		result := json.RawMessage(`{}`)
		if request.Method == methodInitialize {
			result = json.RawMessage(`{"protocolVersion":"2025-03-26"}`)
		}
		if err := c.Write(t.Context(), &jsonrpc.Response{ID: request.ID, Result: result}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLinesOfAllKinds(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`:        `1 ok`,
		"  {\"jsonrpc\":\"2.0\",\"method\":\"b\"}  \r": "",
		"": "",
		"\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"a"}`: `1 ok`,
		`{"jsonrpc":"2.0","id":"x","result":{}}`:           "",
		`{"jsonrpc":"2.0","id":null,"error":{}}`:           "",
		`{"jsonrpc":"2.0","id":1,"error":"x"}`:             "",
		"broken":                                           `null -32700`,
		"\x00":                                             `null -32700`,
		`{"id":`:                                           `null -32700`,
		strings.Repeat("x", maxLine+1):                     `null -32700`,
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}":     `7 -32700`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"a\"}": `null -32700`,
		"42":                                    `null -32600`,
		"null":                                  `null -32600`,
		"[]":                                    `null -32600`,
		"{}":                                    `null -32600`,
		`{"jsonrpc":"1.0","id":1,"method":"a"}`: `1 -32600`,
		`{"id":"a<b","method":"a"}`:             `"a<b" -32600`,
		`{"jsonrpc":"2.0","id":1.5,"method":"a"}`:                                 `1.5 -32600`,
		`{"jsonrpc":"2.0","id":1e2,"method":"a"}`:                                 `1e2 -32600`,
		`{"jsonrpc":"2.0","id":null,"method":"a"}`:                                `null -32600`,
		`{"jsonrpc":"2.0","id":{},"method":"a"}`:                                  `null -32600`,
		`{"jsonrpc":"2.0","id":1,"method":7}`:                                     `1 -32600`,
		`{"jsonrpc":"2.0","id":1,"Method":"a"}`:                                   `1 -32600`,
		`{"jsonrpc":"2.0","id":1,"METHOD":"a"}`:                                   `1 -32600`,
		`{"jsonRPC":"2.0","id":1,"method":"a"}`:                                   `1 -32600`,
		`{"jsonrpc":"2.0","ID":1,"method":"a"}`:                                   "",
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`:                            `null -32600`,
		`{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`:                      `1 -32600`,
		`{"jsonrpc":1,"jsonrpc":"2.0","id":1,"method":"a"}`:                       `1 -32600`,
		`{"jsonrpc":"2.0","id":1,"method":"a","error":"x"}`:                       `1 ok`,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":` + deep(999) + `}`:        `1 ok`,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":` + deep(1000) + `}`:       `1 -32600`,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":` + deep(1_000_000) + `}`:  `null -32700`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}`:                    `9007199254740993 ok`,
		`{"jsonrpc":"2.0","id":-123456789012345678901234567890,"method":"a"}`:     `-123456789012345678901234567890 ok`,
		`{"jsonrpc":"2.0","id":"\ud800\u0041<","method":"a"}`:                     `"\ud800\u0041<" ok`,
		`{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{}}`: `1 -32600`,
		`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"}]`:  `1 -32600`,
		`[7]`: `null -32600`,
	} {
		passed, out := exchange(t, []byte(line))
		if got := strings.Join(outcomes(t, out), ", "); got != want {
			t.Errorf("%.100q is answered with %s, want %s", line, got, want)
		}
		if isRequest := strings.HasSuffix(want, "ok"); isRequest && len(passed) != 1 {
			t.Errorf("%.100q is passed on as %v", line, passed)
		}
	}
}

// outcomes returns for each response its ID as written, and "ok" or the code of the error.
func outcomes(t testing.TB, out []byte) []string {
	t.Helper()
	var all []string
	for line := range bytes.Lines(out) {
		var answers []struct {
			JSONRPC string
			ID      json.RawMessage
			Result  json.RawMessage
			Error   *jsonrpc.Error
		}
		if line[0] != '[' {
			line = fmt.Appendf(nil, "[%s]", line)
		}
		if err := json.Unmarshal(line, &answers); err != nil || len(answers) == 0 {
			t.Fatalf("%s: %v", line, err)
		}
		for _, a := range answers {
			switch {
			case a.JSONRPC != "2.0" || len(a.ID) == 0 || (a.Error == nil) == (a.Result == nil):
				t.Fatalf("not an answer: %s", line)
			case a.Error != nil:
				all = append(all, fmt.Sprintf("%s %d", a.ID, a.Error.Code))
			default:
				all = append(all, string(a.ID)+" ok")
			}
		}
	}
	return all
}

func TestBatches(t *testing.T) {
	t.Parallel()
	const start = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`
	for batch, want := range map[string]string{
		`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","id":"2","method":"a"}]`: `[1 ok, "2" ok]`,
		`[{"jsonrpc":"2.0","id":1,"method":"a"}]`:                             `[1 ok]`,
		`[{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","method":"b"}]`:     ``,
		`[{"jsonrpc":"2.0","id":3,"result":{}}]`:                              ``,
		`[]`:                                                                  `null -32600`,
		`[7,[],{"jsonrpc":"2.0","id":1,"method":"a"}]`:                        `[null -32600, null -32600, 1 ok]`,
		`[{"jsonrpc":"2.0","id":1,"method":"initialize"}]`:                    `[1 -32600]`,
		`[{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}]`:          `[1 -32600]`,
		"[" + strings.TrimSuffix(strings.Repeat("7,", maxBatch+1), ",") + "]": `null -32600`,
	} {
		in, done := io.Pipe()
		var out bytes.Buffer
		c := newStdioTransport(in, closer{&out})
		go func() {
			_, _ = fmt.Fprintln(done, start)
		}()
		begun, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Write(t.Context(), &jsonrpc.Response{ID: begun.(*jsonrpc.Request).ID, Result: json.RawMessage(`{"protocolVersion":"2025-03-26"}`)}); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		go func() {
			_, _ = fmt.Fprintln(done, batch)
			_ = done.Close()
		}()
		for {
			m, err := c.Read(t.Context())
			if err != nil {
				break
			}
			if request, ok := m.(*jsonrpc.Request); ok && request.IsCall() {
				if err := c.Write(t.Context(), &jsonrpc.Response{ID: request.ID, Result: json.RawMessage(`{}`)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		got := strings.Join(outcomes(t, out.Bytes()), ", ")
		if bytes.HasPrefix(out.Bytes(), []byte("[")) && bytes.Count(out.Bytes(), []byte("\n")) == 1 {
			got = "[" + got + "]"
		}
		if got != want {
			t.Errorf("%.200s is answered with %s, want %s", batch, got, want)
		}
	}
}

// TestIDsInsideMessages checks IDs and progress tokens that the SDK would round, and requests whose
// ID is in use.
func TestIDsInsideMessages(t *testing.T) {
	t.Parallel()
	const big = "9007199254740993"
	in, lines := io.Pipe()
	var out bytes.Buffer
	c := newStdioTransport(in, closer{&out})
	say := func(line string) {
		if _, err := fmt.Fprintln(lines, line); err != nil {
			t.Error(err)
		}
	}
	next := func() *jsonrpc.Request {
		t.Helper()
		m, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return m.(*jsonrpc.Request)
	}
	heard := func() string {
		t.Helper()
		defer out.Reset()
		return strings.TrimSpace(out.String())
	}
	tell := func(method string, params any) {
		t.Helper()
		text, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Write(t.Context(), &jsonrpc.Request{Method: method, Params: text}); err != nil {
			t.Fatal(err)
		}
	}
	go say(`{"jsonrpc":"2.0","id":` + big + `,"method":"tools/call","params":{"text":"<&>","_meta":{"progressToken":` + big + `}}}`)
	call := next()
	var params mcp.CallToolParams
	if err := json.Unmarshal(call.Params, &params); err != nil || !strings.Contains(string(call.Params), `"<&>"`) {
		t.Fatalf("%s, %v", call.Params, err)
	}
	tell(methodProgress, mcp.ProgressNotificationParams{ProgressToken: params.GetProgressToken(), Progress: 1})
	if got := heard(); !strings.Contains(got, `"progressToken":`+big) {
		t.Errorf("progress is told as %s", got)
	}
	go say(`{"jsonrpc":"2.0","id":` + big + `,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":"` + big + `","method":"subscriptions/listen"}`)
	listening := next()
	if got := heard(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+big+`,"error":{"code":-32600`) {
		t.Errorf("an ID in use is answered with %s", got)
	}
	stream := map[string]any{"_meta": map[string]any{mcp.MetaKeySubscriptionID: listening.ID.Raw()}}
	tell(methodUpdated, stream)
	if got := heard(); !strings.Contains(got, `subscriptionId":"`+big+`"`) {
		t.Errorf("a change is told as %s", got)
	}
	go say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + big + `,"reason":"<Esc>"}}`)
	cancelled := next()
	if want := fmt.Sprintf(`"requestId":%d`, call.ID.Raw()); cancelled.Method != methodCancelled || !strings.Contains(string(cancelled.Params), want) {
		t.Errorf("cancelled %s, want %s", cancelled.Params, want)
	}
	// The ID is free again, and the late response is dropped.
	go say(`{"jsonrpc":"2.0","id":` + big + `,"method":"ping"}`)
	ping := next()
	tell(methodProgress, mcp.ProgressNotificationParams{ProgressToken: params.GetProgressToken(), Progress: 2})
	for _, r := range []*jsonrpc.Response{{ID: call.ID, Error: context.Canceled}, {ID: ping.ID, Result: json.RawMessage(`{}`)}} {
		if err := c.Write(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if got := heard(); got != `{"jsonrpc":"2.0","id":`+big+`,"result":{}}` {
		t.Errorf("answered %s", got)
	}
	ended := map[string]any{"_meta": map[string]any{mcp.MetaKeySubscriptionID: listening.ID.Raw()}}
	text, err := json.Marshal(ended)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write(t.Context(), &jsonrpc.Response{ID: listening.ID, Result: text}); err != nil {
		t.Fatal(err)
	}
	if got := heard(); !strings.Contains(got, `subscriptionId":"`+big+`"`) {
		t.Errorf("the end of a stream is told as %s", got)
	}
	tell(methodUpdated, stream)
	if got := heard(); got != "" {
		t.Errorf("told on a stream that has ended: %s", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// FuzzStdio checks that the SDK can read what is passed on, and that each request gets one
// response.
func FuzzStdio(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"progressToken":12345678901234567890}}}`,
		`{"jsonrpc":"2.0","id":0,"method":"initialize"}` + "\n" + `[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},7]`,
		`{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}}`,
		`{"JSONRPC":"2.0","Id":1,"Method":"a"}` + "\r\n\xef\xbb\xbf{}",
		`{"jsonrpc":"2.0","id":1,"id":1.5,"method":null,"params":[[[]]]}`,
		`{"jsonrpc":"2.0","id":"\ud800","method":"\u0000"}` + "\n" + `{"jsonrpc":"2.0","method":""}`,
		`{"jsonrpc":"2.0","id":5,"method":"x"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		passed, out := exchange(t, in)
		for _, m := range passed {
			if r, ok := m.(*jsonrpc.Request); ok && r.Method == "" {
				continue // the SDK's response is not written
			}
			text, err := jsonrpc.EncodeMessage(m)
			if err != nil {
				t.Fatalf("%+v: %v", m, err)
			}
			if _, err := jsonrpc.DecodeMessage(text); err != nil {
				t.Fatalf("the SDK would end the session at %s: %v", text, err)
			}
		}
		answered := make(map[string]int)
		for _, o := range outcomes(t, out) {
			id := json.RawMessage(o[:strings.LastIndexByte(o, ' ')])
			if string(id) != "null" {
				answered[sameID(id)]++
			}
		}
		if asked, exact := requests(in); exact && !maps.Equal(asked, answered) {
			t.Fatalf("asked %v, answered %v", asked, answered)
		}
	})
}

// requests counts the requests with each ID. The result is not exact if requests may be cancelled,
// or if encoding/json parses a line differently.
func requests(in []byte) (ids map[string]int, exact bool) {
	ids = make(map[string]int)
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(in, []byte("\ufeff"))))
	lines.Buffer(nil, len(in)+1)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if !json.Valid(line) {
			continue
		}
		var texts []json.RawMessage
		if json.Unmarshal(line, &texts) != nil {
			texts = []json.RawMessage{line}
		}
		for _, text := range texts {
			var m map[string]json.RawMessage
			if json.Unmarshal(text, &m) != nil {
				continue
			}
			_, isRequest := m["method"]
			isResponse := !isRequest && (m["result"] != nil || m["error"] != nil)
			if id := m["id"]; !isResponse && isScalar(id) {
				ids[sameID(id)]++
			}
		}
	}
	return ids, utf8.Valid(in) && !bytes.Contains(in, []byte("cancelled")) && !bytes.Contains(in, []byte(`\`)) && !hasRepeatedID(in)
}

// hasRepeatedID reports whether an object has several IDs.
func hasRepeatedID(in []byte) bool {
	for line := range bytes.Lines(in) {
		if bytes.Count(line, []byte(`"id"`)) > 1 {
			return true
		}
	}
	return false
}

// TestDiscoveryBeforeInitialize checks that a client that has sent a discovery may send initialize
// afterwards, or go on without.
func TestDiscoveryBeforeInitialize(t *testing.T) {
	t.Parallel()
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}`
	discover := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`
	for _, c := range []struct{ then, want string }{
		{`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, `"protocolVersion":"2025-11-25"`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}`, `"name":"retrieve_docs"`},
	} {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		session, err := New(previewed{}, Options{Logger: quietLog}).sdk.Connect(t.Context(), newStdioTransport(in, out), nil)
		if err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewReader(fromServer)
		for _, step := range [][2]string{{discover, `"supportedVersions":["2026-07-28","2025-11-25"`}, {c.then, c.want}} {
			if _, err := io.WriteString(toServer, step[0]+"\n"); err != nil {
				t.Fatal(err)
			}
			if answer, err := answers.ReadString('\n'); err != nil || !strings.Contains(answer, step[1]) {
				t.Errorf("to %.60s: %.300s, %v", step[0], answer, err)
			}
		}
		if err := errors.Join(toServer.Close(), session.Wait()); err != nil {
			t.Error(err)
		}
	}
}
