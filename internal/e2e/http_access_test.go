package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/index/operations"
)

// TestHTTPFoldersOfOthers: a user who may not see a folder gets, for any guess, exactly
// the answers of a server without it.
func TestHTTPFoldersOfOthers(t *testing.T) {
	t.Parallel()
	hidesFromOthers(t, func(folders []string, flags ...string) *httpServer {
		for range folders {
			flags = append(flags, ownIndex(t))
		}
		return serveHTTP(t, append(flags, folders...)...)
	})
}

// hidesFromOthers checks this for servers of some folders, which serve starts.
func hidesFromOthers(t *testing.T, serve func(folders []string, flags ...string) *httpServer) {
	t.Helper()
	root := t.TempDir()
	open, secret := filepath.Join(root, "open"), filepath.Join(root, "secret")
	writeText(t, filepath.Join(open, "asthma.md"), "---\ntags: [lungs]\n---\n# Asthma\n\nA spacer helps children with their inhaler.\n")
	writeText(t, filepath.Join(secret, "墨.md"), "---\ntags: [hidden]\nstatus: sealed\n---\n# Xylophonist\n\nThe patient is a xylophonist, see [[asthma]].\n")
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice", "--group", "staff"), newToken(t, tokens, "bob")
	both := serve([]string{open, secret}, "--rate-limit=100000", "--tokens", tokens, "--allow", "group:staff="+secret)
	other := filepath.Join(root, "other") // a single folder would have no name in paths
	writeText(t, filepath.Join(other, "c.md"), "# Other\n\nNothing of the kind.\n")
	alone := serve([]string{open, other}, "--rate-limit=100000", "--tokens", tokens, "--allow", "group:staff="+other)

	seen := connectHTTP(t, both.url, "2025-11-25", as(alice)).mustTool("retrieve_docs", map[string]any{"query": "xylophonist"})
	if !strings.Contains(seen, "secret/墨.md") {
		t.Fatalf("alice sees %s", seen)
	}
	for _, s := range []*httpServer{both, alone} { // otherwise one may still be scanning more than the other
		c := connectHTTP(t, s.url, "2025-11-25", as(bob))
		c.waitIndexed()
	}
	protocols := overHTTP
	if testing.Short() {
		protocols = overHTTP[3:]
	}
	for _, protocol := range protocols {
		here, there := connectDrawing(t, both.url, protocol, as(bob)), connectDrawing(t, alone.url, protocol, as(bob)) // such clients get the most data
		if got, want := here.InitializeResult().Instructions, there.InitializeResult().Instructions; got != want || !strings.Contains(got, "1 documents") {
			t.Errorf("%s: the instructions are %s\nwhere there is no such folder: %s", protocol, got, want)
		}
		for name, ask := range guesses(root) {
			if got, want := answerTo(here, ask), answerTo(there, ask); got != want {
				t.Errorf("%s, %s: %s\nwhere there is nothing to see: %s", protocol, name, got, want)
			} else if strings.Contains(strings.ReplaceAll(got, name, ""), "sealed") {
				t.Errorf("%s, %s: %s", protocol, name, got)
			}
		}
	}
}

// guesses try to read the folder secret.
func guesses(root string) map[string]func(c *webClient) (any, error) {
	all := make(map[string]func(c *webClient) (any, error))
	call := func(name string, arguments map[string]any) {
		said, _ := json.Marshal(arguments)
		all[name+" "+string(said)] = func(c *webClient) (any, error) {
			return c.CallTool(c.t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
		}
	}
	file := filepath.Join(root, "secret", "墨.md")
	for _, path := range []string{"secret", "secret/**", "secret/墨.md", "墨.md", file, "**/墨*", "../secret", "*"} {
		call("retrieve_docs", map[string]any{"query": "patient", "path": path})
		call("find_in_docs", map[string]any{"text": "patient", "path": path})
		call("list_docs", map[string]any{"path": path})
		call("read_doc", map[string]any{"path": path})
		call("read_doc", map[string]any{"path": path, "as": "image"})
		call("index_docs", map[string]any{"paths": []string{path}})
	}
	for _, query := range []string{"xylophonist", "xylophonst", "墨", "patient spacer", `"xylophonist"`} {
		call("retrieve_docs", map[string]any{"query": query, "also": []string{"secret"}})
	}
	for _, pattern := range []string{"xylophonist", "墨", "."} {
		call("find_in_docs", map[string]any{"text": pattern, "regexp": true})
	}
	for _, path := range []string{"secret/墨.md", "墨", file} {
		call("check_quotes", map[string]any{"quotes": []map[string]string{{"text": "the xylophonist is a patient", "path": path}, {"text": "xylophonist"}}})
	}
	for _, path := range []string{"secret/墨.md", "墨", "Xylophonist", file, "a.md", "open/a.md"} {
		call("retrieve_docs", map[string]any{"query": "patient", "links_to": path, "brief": true})
		call("retrieve_docs", map[string]any{"query": "patient", "linked_from": path})
		call("find_in_docs", map[string]any{"text": "patient", "links_to": path, "linked_from": path})
		call("list_docs", map[string]any{"linked_from": path})
		call("list_docs", map[string]any{"links_to": path, "broken_links": true})
	}
	for _, newOperation := range operations.All { // each operation, with a guess in each parameter
		for _, p := range newOperation().Parameters {
			arguments := make(map[string]any)
			if err := json.Unmarshal([]byte(newOperation().ExampleArguments), &arguments); err != nil {
				panic(err)
			}
			arguments[p.Name] = "secret/墨.md"
			call(newOperation().Name, arguments)
		}
	}
	call("list_docs", map[string]any{"broken_links": true})
	call("list_docs", map[string]any{"tag_counts": true})
	call("list_docs", map[string]any{"tags": []string{"hidden"}})
	call("list_docs", map[string]any{"where": []string{"status=x"}})
	call("list_docs", map[string]any{"cursor": "secret/墨.md"})
	call("read_doc", map[string]any{"path": "Xylophonist"})
	call("retrieve_docs", map[string]any{"query": "spacer"}) // a note in the secret folder links to the result
	for _, uri := range []string{docs.FileURI(file), docs.FileURI(file) + "#line=0,3", docs.FileURI(filepath.Join(root, "open", "..", "secret", "墨.md")), docs.FileURI(filepath.Join(root, "open")) + "/%2e%2e/secret/%E5%A2%A8.md"} {
		call("read_doc", map[string]any{"uri": uri})
		call("show_context", map[string]any{"uri": uri, "question": "patient"})
		call("show_page_image", map[string]any{"uri": uri})
		all["resources/read "+uri] = func(c *webClient) (any, error) {
			return c.ReadResource(c.t.Context(), &mcp.ReadResourceParams{URI: uri})
		}
		all["resources/subscribe "+uri] = func(c *webClient) (any, error) {
			if c.InitializeResult().ProtocolVersion >= "2026-07-28" {
				return nil, nil // streams are tested below
			}
			return nil, c.Subscribe(c.t.Context(), &mcp.SubscribeParams{URI: uri})
		}
	}
	for _, argument := range [][2]string{{"path", ""}, {"path", "s"}, {"uri", "墨"}, {"tags", ""}, {"tags", "h"}, {"where", ""}, {"where", "status="}} {
		all[fmt.Sprint("completion ", argument)] = func(c *webClient) (any, error) {
			return c.Complete(c.t.Context(), &mcp.CompleteParams{
				Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"},
				Argument: mcp.CompleteParamsArgument{Name: argument[0], Value: argument[1]},
			})
		}
	}
	all["resources/list"] = func(c *webClient) (any, error) { return c.ListResources(c.t.Context(), nil) }
	all["templates"] = func(c *webClient) (any, error) { return c.ListResourceTemplates(c.t.Context(), nil) }
	return all
}

// changing matches what differs from one answer to the next: how long it took.
var changing = regexp.MustCompile(`in \d+(\.\d+)? ?m?s`)

func answerTo(c *webClient, ask func(*webClient) (any, error)) string {
	result, err := ask(c)
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return fmt.Sprintf("error %d %s %s", wire.Code, wire.Message, wire.Data)
	}
	if all, ok := result.(*mcp.ListResourcesResult); ok && err == nil {
		forgetTimesOfTexts(all)
	}
	text, failed := json.Marshal(result)
	return changing.ReplaceAllString(fmt.Sprintf("%s %v %v", text, err, failed), "in a while")
}

// forgetTimesOfTexts removes from a list when texts were given, which was not at the same time to all
// servers.
func forgetTimesOfTexts(all *mcp.ListResourcesResult) {
	for _, r := range all.Resources {
		if uriOfText.MatchString(r.URI) && r.Annotations != nil {
			r.Annotations.LastModified = ""
		}
	}
}

// TestHTTPChangesOfOthers: users are not notified of changes in folders that they may not
// see.
func TestHTTPChangesOfOthers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	open, secret := filepath.Join(root, "open", "a.md"), filepath.Join(root, "secret", "b.md")
	writeText(t, open, "# A\n\nFirst.\n")
	writeText(t, secret, "# B\n\nFirst.\n")
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--tokens", tokens, "--allow", "alice="+filepath.Dir(secret), ownIndex(t), ownIndex(t), filepath.Dir(open), filepath.Dir(secret))
	for _, protocol := range overHTTP {
		a, b := connectHTTP(t, s.url, protocol, as(alice)), connectHTTP(t, s.url, protocol, as(bob))
		for _, c := range []*webClient{a, b} {
			for _, file := range []string{open, secret} {
				_ = c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: docs.FileURI(file)}) // bob is refused the subscription to the secret file
			}
		}
		writeText(t, secret, "# B\n\nSecond, for "+protocol+".\n")
		a.waitUpdated(docs.FileURI(secret))
		writeText(t, open, "# A\n\nSecond, for "+protocol+".\n")
		a.waitUpdated(docs.FileURI(open))
		select {
		case got := <-b.updated:
			if got != docs.FileURI(open) {
				t.Errorf("%s: bob is told of %s", protocol, got)
			}
		case <-time.After(longestWait):
			t.Errorf("%s: bob is told of nothing", protocol)
		}
	}
}

// TestHTTPNoFolder: a user without any folder learns so, and nothing else.
func TestHTTPNoFolder(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--tokens", tokens, "--allow", "alice="+dir, ownIndex(t), dir)
	session := openSession(t, s.url, bearer(alice))
	for _, header := range []map[string]string{bearer(bob), bearer(bob, "Mcp-Session-Id", session), bearer(bob, "Mcp-Protocol-Version", "2026-07-28")} {
		answer := rawCall(t, s.url+"/mcp", callList, header)
		if body := bodyOf(t, answer); answer.StatusCode != 403 || strings.TrimSpace(body) != "you may not see any of the folders" {
			t.Errorf("%s: %s", answer.Status, body)
		}
	}
}
