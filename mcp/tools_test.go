package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/index"
	"vademecum/index/progress"
)

var three = map[string]string{
	"心脏病.txt":        "心脏病患者的症状有胸痛和气短，治疗要遵医嘱。\n心绞痛发作时舌下含服硝酸甘油，十分钟不缓解应当叫救护车。\n",
	"高 血压.txt":       "高血压患者的症状常常不明显，治疗要长期坚持。\n饮食要少盐，每天不超过五克，多吃蔬菜和水果。\n",
	"notes/sugar.md": "# Diabetes 糖尿病\n\n## Food\n\nAvoid sweet drinks; eat whole grains. 患者饮食要少糖。\n\n## Feet\n\nLook at your feet every day. 症状加重时看医生，治疗不要停。\n",
}

// TestTutorialClient runs the client of the tutorial from which many people start.
func TestTutorialClient(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "tutorial")

	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != len(offeredNames(false)) {
		t.Fatalf("tools %+v, %v", tools, err)
	}
	var texts []string
	for _, r := range c.resources() {
		text := c.readText(r.URI)
		if text != three[r.Name] {
			t.Errorf("%s reads %q", r.Name, text)
		}
		texts = append(texts, text)
	}
	if len(texts) != 3 {
		t.Fatalf("%d resources, want 3", len(texts))
	}
	arguments, err := json.Marshal(map[string]any{"docs": texts})
	if err != nil {
		t.Fatal(err)
	}
	if got := firstText(c.call("index_docs", string(arguments))); !strings.HasPrefix(got, "Indexed 3 documents; 3 in total.\nOf these, indexed before: 3 documents.") {
		t.Errorf("index_docs answers %q", got)
	}
	for query, want := range map[string]string{"高血压患者的饮食": "高 血压.txt", "心绞痛患者的症状和治疗": "心脏病.txt", "糖尿病 diabetes 患者饮食": "notes/sugar.md"} {
		r := c.call("retrieve_docs", fmt.Sprintf(`{"query": %q, "top_k": 3}`, query))
		found := passages(r)
		if r.IsError || len(found) != 3 {
			t.Errorf("%s: %d embedded resources, want 3: %s", query, len(found), firstText(r))
			continue
		}
		if path := found[0].Meta["path"]; path != want {
			t.Errorf("%s: %v is first, want %s", query, path, want)
		}
		for _, p := range found {
			if got := c.readText(p.URI); got != p.Text {
				t.Errorf("%s reads %q, the passage is %q", p.URI, got, p.Text)
			}
			if !strings.Contains(allText(r), p.Text) {
				t.Errorf("the text lacks %q", p.Text)
			}
		}
	}
}

func TestToolSchemas(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(tools.Tools); err != nil {
		t.Fatal(err)
	}
	golden(t, "tools.json", out.String())
}

// TestDescriptions checks the beginnings of descriptions, which hosts that search for tools show,
// one of them exclusively.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		head := strings.ToLower(tool.Description[:min(160, len(tool.Description))])
		isSearch := tool.Name == "retrieve_docs"
		for _, word := range []string{"retrieve", "search", "knowledge base"} {
			if strings.Contains(head, word) != isSearch {
				t.Errorf("%s: %q in %q: want %v", tool.Name, word, head, isSearch)
			}
		}
		for _, word := range []string{"notes", "docs", "documents", "cite file and lines"} {
			if isSearch && !strings.Contains(head, word) {
				t.Errorf("%s lacks %q in %q", tool.Name, word, head)
			}
		}
		if _, always := tool.Meta["anthropic/alwaysLoad"]; always != isSearch {
			t.Errorf("%s: alwaysLoad %v", tool.Name, always)
		}
	}
	if icons := c.InitializeResult().ServerInfo.Icons; len(icons) != 1 || !strings.HasPrefix(icons[0].Source, "data:image/png;base64,iVBOR") || len(icons[0].Source) > 1000 {
		t.Errorf("the icons are %v", icons)
	}
	instructions := c.InitializeResult().Instructions
	if head := instructions[:250]; !strings.Contains(head, "retrieve_docs") || !strings.Contains(head, "also") || !strings.Contains(head, "cite") {
		t.Errorf("the instructions begin with %q, which is all that Codex shows", head)
	}
}

// TestLittleFound checks that an answer that found little suggests how to find more.
func TestLittleFound(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	for arguments, want := range map[string]bool{
		`{"query": "zebrafish"}`:                                                       true,
		`{"query": "look at your feet every day", "top_k": 1}`:                         false,
		`{"query": "zebrafish", "path": "nowhere/**"}`:                                 false, // no rewording would help
		`{"query": "zebrafish", "also": ["danio", "斑马鱼"]}`:                             false,
		`{"query": "zebrafish", "also": "danio"}`:                                      true,
		`{"query": "高血压患者的饮食", "top_k": 1, "also": ["low salt", "diet hypertension"]}`: false,
	} {
		r := c.call("retrieve_docs", arguments)
		if got := strings.Contains(allText(r), "Little was found."); got != want {
			t.Errorf("%s: asks for other wordings: %v, want %v: %s", arguments, got, want, allText(r))
		}
	}
}

// TestTranscript compares what a model reads with golden files.
func TestTranscript(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	writeFile(t, dir, "scan.pdf", "%PDF-1.4")
	writeFile(t, dir, "photo.png", "\x89PNG")
	var out strings.Builder
	for _, mode := range []ResultsMode{ResultsBoth, ResultsResource, ResultsText} {
		c := connect(t, serve(t, dir, Options{ResultsMode: mode}), "test")
		c.through(`{}`)
		ask := func(tool, arguments string) {
			fmt.Fprintf(&out, "== %s %s (%s)\n%s\n", tool, arguments, mode, shown(c.call(tool, arguments)))
		}
		ask("retrieve_docs", `{"query": "how often to look at the feet", "top_k": 2}`)
		ask("retrieve_docs", `{"query": "高血压吃多少盐", "top_k": 1, "path": "*.txt", "wait_for_previous": true}`)
		ask("retrieve_docs", `{"query": "feet", "path": "nowhere/**"}`)
		if mode != ResultsText { // the results of the other tools do not depend on the mode
			continue
		}
		ask("find_in_docs", `{"text": "the feet"}`)
		ask("find_in_docs", `{"text": "\\bfe+t\\b", "regexp": true, "path": "notes"}`)
		ask("find_in_docs", `{"text": "axolotl"}`)
		ask("check_quotes", `{"quotes": [{"text": "饮食要少盐，每天不超过五克", "path": "高 血压.txt"}, "look at your hands every day", "Metformin is taken with meals"]}`)
		ask("read_doc", `{"path": "notes/sugar.md", "start_line": 3, "end_line": 5}`)
		ask("list_docs", `{"path": "*.pdf"}`)
		ask("list_docs", `{"path": "nowhere"}`)
		ask("index_docs", `{}`)
		ask("index_docs", `{"docs": ["A text on ferrets."]}`)
		ask("retrieve_docs", `{"query": "ferrets", "top_k": 1}`)
	}
	golden(t, "transcript.txt", strings.ReplaceAll(out.String(), docs.FileURI(dir), "file://FOLDER"))
}

// shown returns the blocks of a result as text, one after the other.
func shown(r *mcp.CallToolResult) string {
	var out strings.Builder
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			fmt.Fprintf(&out, "-- text\n%s\n", c.Text)
		case *mcp.EmbeddedResource:
			meta, err := json.Marshal(c.Resource.Meta)
			if err != nil {
				return err.Error()
			}
			fmt.Fprintf(&out, "-- resource %s %s\n%s\n%s\n", c.Resource.URI, c.Resource.MIMEType, meta, c.Resource.Text)
		default:
			fmt.Fprintf(&out, "-- %T\n", c)
		}
	}
	return strings.TrimSpace(out.String())
}

func TestListDocsPages(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 250 {
		files[fmt.Sprintf("%03d.md", i)] = "text"
	}
	dir := folder(t, files)
	c := connect(t, serve(t, dir, Options{}), "test")
	seen := make(map[string]bool)
	cursor, pages := "", 0
	for {
		text := firstText(c.call("list_docs", fmt.Sprintf(`{"cursor": %q}`, cursor)))
		pages++
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(line, "- "); ok {
				seen[name[:6]] = true
			}
		}
		_, rest, more := strings.Cut(text, "More: call list_docs with cursor ")
		if !more {
			break
		}
		if _, err := fmt.Sscanf(rest, "%q", &cursor); err != nil {
			t.Fatal(err)
		}
		remove(t, filepath.Join(dir, cursor)) // the next page begins at the same place nevertheless
	}
	if len(seen) != 250 || pages != 3 {
		t.Errorf("%d documents on %d pages", len(seen), pages)
	}
	if n := len(c.resources()); n != 248 {
		t.Errorf("%d resources", n)
	}
}

// TestListTellsSkippedByReason checks that files that are not indexed are listed once for each
// reason, after the documents, and not counted for pages.
func TestListTellsSkippedByReason(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 150 {
		files[fmt.Sprintf("%03d.class", i)], files[fmt.Sprintf("%03d.mp3", i)] = "\xca\xfe", "ID3"
	}
	for i := range 120 {
		files[fmt.Sprintf("%03d.md", i)] = "A note."
	}
	c := connect(t, serve(t, folder(t, files), Options{}), "test")
	first := allText(c.call("list_docs", `{}`))
	if strings.Contains(first, ".mp3") || strings.Count(first, "\n- ") != 100 {
		t.Errorf("the first page is %s", first)
	}
	second := allText(c.call("list_docs", `{"cursor": "099.md"}`))
	if want := "\nNot indexed: 300 files.\n- not a text format (.class): 000.class, 001.class, 002.class, 003.class, 004.class and 145 more\n- not a text format (.mp3): 000.mp3,"; !strings.Contains(second, want) {
		t.Errorf("the second page is %s", second)
	}
}

func TestIndexDocsProgressAndCancel(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	for i := range 100 {
		writeFile(t, dir, fmt.Sprintf("more/%d.md", i), strings.Repeat(fmt.Sprintf("Sentence %d of many. ", i), 200))
	}
	params := &mcp.CallToolParams{Name: "index_docs", Arguments: json.RawMessage(`{"force": true}`)}
	params.SetProgressToken("p")
	r, err := c.CallTool(t.Context(), params)
	for err == nil && strings.HasPrefix(firstText(r), "Still ") { // on a slow machine a call reaches its time limit first
		r, err = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "index_docs"})
	}
	if err != nil || !strings.Contains(firstText(r), "103 in total") {
		t.Errorf("index_docs: %s, %v", firstText(r), err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "more")); err != nil {
		t.Fatal(err)
	}
}

// manyTexts returns texts that take a while to index, and the arguments of a call that adds them.
func manyTexts(t *testing.T) (texts []string, arguments json.RawMessage) {
	t.Helper()
	sentences := 120
	if testing.Short() {
		sentences = 40 // which take as long under the race detector
	}
	for i := range 3000 {
		texts = append(texts, strings.Repeat(fmt.Sprintf("Text %d tells of ferret number %d. ", i, i), sentences))
	}
	arguments, err := json.Marshal(map[string]any{"docs": texts})
	if err != nil {
		t.Fatal(err)
	}
	return texts, arguments
}

// TestTextsOutliveTheLimit checks that a call that reaches its time limit returns the progress,
// that the work continues, and that a second call waits for it.
func TestTextsOutliveTheLimit(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("TestTextsProgressAndCancel does the same")
	}
	s := serve(t, folder(t, three), Options{})
	c := connect(t, s, "test")
	c.call("index_docs", `{}`)
	texts, arguments := manyTexts(t)
	d := onlyDesk(t, s)
	f := s.jobs.joinTexts(texts, d)
	over := make(chan time.Time, 1)
	over <- time.Now()
	r, err := s.awaitJob(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}}, f, over)
	s.jobs.release(f)
	if err != nil || !strings.HasPrefix(r, "Still indexing: ") || !strings.Contains(r, " of 3000 texts can be found; it goes on by itself.") {
		t.Fatalf("%s, %v", r, err)
	}
	again := s.jobs.joinTexts(texts, d)
	s.jobs.release(again)
	if again != f {
		t.Error("the same texts are added twice at a time")
	}
	if got := c.through(string(arguments)); !strings.HasPrefix(got, "Indexed 3000 documents; 3003 in total.") {
		t.Errorf("at the end: %.200s", got)
	}
}

// onlyDesk returns the texts of the only session.
func onlyDesk(t *testing.T, s *Server) *sessionTexts {
	t.Helper()
	for session := range s.sdk.Sessions() {
		d, err := s.textsFor(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	t.Fatal("there is no session")
	return nil
}

// TestTextsProgressAndCancel checks that what a cancelled call has added is kept.
func TestTextsProgressAndCancel(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	c.call("index_docs", `{}`)
	_, arguments := manyTexts(t)
	params := &mcp.CallToolParams{Name: "index_docs", Arguments: arguments}
	params.SetProgressToken("p")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for p := range c.progress {
			if p.Total == 3000 && p.Progress > 0 && p.Message == fmt.Sprintf("%.0f of 3000 texts", p.Progress) {
				cancel()
			}
		}
	}()
	if r, err := c.CallTool(ctx, params); err == nil {
		t.Fatalf("not cancelled: %.200s", firstText(r))
	}
	var there int
	list := firstText(c.call("list_docs", `{}`))
	if _, err := fmt.Sscanf(list, "%d documents", &there); err != nil || there <= 3 || there >= 3003 {
		t.Errorf("after the call was cancelled there are %.100s", list)
	}
}

// TestFlights checks that a call after a cancelled run starts a new one.
func TestFlights(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, three), Options{})
	if err := s.library.WaitFresh(t.Context(), index.WaitPurposeAnswer); err != nil {
		t.Fatal(err)
	}
	scope := index.Scope{Force: true}
	first := s.jobs.joinSync(t.Context(), scope, s.library)
	if again := s.jobs.joinSync(t.Context(), scope, s.library); again == first {
		s.jobs.release(again)
	}
	s.jobs.release(first)
	next := s.jobs.joinSync(t.Context(), scope, s.library)
	defer s.jobs.release(next)
	<-next.done
	if next.err != nil || next.report.Indexed != 3 {
		t.Errorf("the next call is answered with %+v, %v", next.report, next.err)
	}
}

// TestRemovalIsTold checks that index_docs reports the progress while documents are removed.
func TestRemovalIsTold(t *testing.T) {
	t.Parallel()
	said := describeState(progress.State{Phase: progress.Indexing, FilesDone: 5000, FilesTotal: 5000, RemoveDone: 256, RemoveTotal: 3000})
	if want := "Still removing: 256 of 3000 documents whose files are gone; it goes on"; !strings.HasPrefix(said, want) {
		t.Errorf("it says %q, want %q…", said, want)
	}
}
