package e2e

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vademecum/docs"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
)

// TestPrintedAddresses checks for a document of each format that every address which the program
// shows of it and its parts can be given to the tools and read as a resource: paths, URIs with and
// without fragments, citations in each language, parts by their names.
func TestPrintedAddresses(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("testdata/formats")
	if err != nil {
		t.Fatal(err)
	}
	file := indexFile(t)
	ix := openIndex(t, dir, file)
	bringUpToDate(t, ix)
	h := newHost(t, dir, "--index", file)
	h.initialize()
	h.settle()
	documents, err := ix.List(t.Context(), index.Filter{})
	if err != nil || len(documents) < 40 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	named := 0
	for _, d := range documents {
		for address := range maps.Keys(addressesOf(t, ix, d)) {
			if namedPart.MatchString(address) {
				named++
			}
			h.checkAddress(d.Path, address)
		}
	}
	if named < 5 {
		t.Errorf("only %d parts have names", named)
	}
}

// namedPart matches a citation of a part with a name, such as "stock.xlsx, sheet 2 (Prices)".
var namedPart = regexp.MustCompile(`^(.+), (page|slide|sheet|chapter|cell) \d+ \((.+?)\)`)

// addressesOf returns all that the program shows as addresses of a document and of its parts.
func addressesOf(t *testing.T, ix *index.Index, d index.Document) map[string]bool {
	t.Helper()
	addresses := map[string]bool{d.Path: true, d.URI: true, docs.ReadableURI(d.URI): true}
	add := func(place message.Message, fragment string) {
		for _, language := range message.Languages() {
			addresses[notice.FormatCitation(d.Path, place).InLanguage(language)] = true
		}
		addresses[d.Path+"#"+fragment] = true
		addresses[d.URI+"#"+fragment] = true
	}
	found, err := ix.Find(t.Context(), index.FindQuery{Text: `[\p{L}\d]+`, IsRegexp: true, Filter: index.Filter{Path: d.Path}, MaxLines: index.MaxFindLines})
	if err != nil || len(found.Found) != 1 {
		t.Fatalf("%s: %+v, %v", d.Path, found, err)
	}
	for _, line := range found.Found[0].Lines {
		add(line.Place, line.Fragment)
	}
	answer, err := ix.Search(t.Context(), index.Query{Text: d.Title, TopK: 50, Filter: index.Filter{Path: d.Path}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range answer.Passages {
		_, fragment, _ := strings.Cut(p.URI, "#")
		add(p.Place, fragment)
	}
	for _, address := range slices.Collect(maps.Keys(addresses)) {
		if m := namedPart.FindStringSubmatch(address); m != nil {
			addresses[m[1]+"#"+m[2]+"="+m[3]] = true
		}
	}
	return addresses
}

var firstWord = regexp.MustCompile(`[\p{L}\d]+`)

// checkAddress reads the text at an address of a document in each way, and finds a word of it there.
func (h *host) checkAddress(path, address string) {
	h.t.Helper()
	quoted, _ := json.Marshal(address)
	read, failed := h.tool("read_doc", `{"path":`+string(quoted)+`}`)
	citation, text, _ := strings.Cut(read, "\n")
	if failed || !strings.HasPrefix(citation, path+", ") {
		h.t.Errorf("read_doc %s: %.200s", address, read)
		return
	}
	if same, failed := h.tool("read_doc", `{"uri":`+string(quoted)+`}`); failed || same != read {
		h.t.Errorf("read_doc with uri %s: %.200s, and with path %.200s", address, same, read)
	}
	if strings.HasPrefix(address, "file:") {
		if m := h.call("resources/read", `{"uri":`+string(quoted)+`}`); m.Error != nil {
			h.t.Errorf("resources/read %s: %+v", address, m.Error)
		}
	}
	word, _ := json.Marshal(firstWord.FindString(strings.TrimLeft(text, "`\n")))
	if found, failed := h.tool("find_in_docs", `{"text":`+string(word)+`,"path":`+string(quoted)+`}`); failed || !strings.Contains(found, " in 1 document\n[1] "+path+", ") {
		h.t.Errorf("find_in_docs %s in %s: %.200s", word, address, found)
	}
	if asked, failed := h.tool("retrieve_docs", `{"query":`+string(word)+`,"path":`+string(quoted)+`}`); failed || strings.Contains(asked, "No document has a path like") {
		h.t.Errorf("retrieve_docs in %s: %.200s", address, asked)
	}
}
