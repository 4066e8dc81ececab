package embed

import (
	"slices"
	"strings"
	"testing"

	"vademecum/internal/base/script"
)

func TestFamilies(t *testing.T) {
	const web = "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
	for _, tt := range []struct {
		model, query, passage string
		limit                 int
	}{
		{"hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4", "search_query: ", "search_document: ", 2048},
		{"text-embedding-nomic-embed-text-v1.5", "search_query: ", "search_document: ", 2048}, // LM Studio
		{"nomic-embed-text-v2-moe:latest", "search_query: ", "search_document: ", 512},
		{"BAAI/bge-m3", "", "", 8192},
		{"Pro/BAAI/bge-m3", "", "", 8192},
		{"bge-m3:567m", "", "", 8192},
		{"BAAI/bge-large-en-v1.5", bgeInstruction, "", 512},
		{"bge-large:335m", bgeInstruction, "", 512},
		{"BAAI/bge-small-zh-v1.5", chineseBGEQuery, "", 512},
		{"intfloat/multilingual-e5-large-instruct", web + "Query: ", "", 512},
		{"intfloat/multilingual-e5-large", "query: ", "passage: ", 512},
		{"E5-base-v2", "query: ", "passage: ", 512},
		{"embeddinggemma:300m", "task: search result | query: ", "title: none | text: ", 2048},
		{"Qwen/Qwen3-Embedding-0.6B", web + "Query:", "", 32768},
		{"qwen3-embedding:4b", web + "Query:", "", 32768},
		{"mxbai-embed-large", bgeInstruction, "", 512},
		{"snowflake-arctic-embed2", "query: ", "", 8192},
		{"Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", "", 8192},
		{"snowflake-arctic-embed:335m", bgeInstruction, "", 512},
		{"Snowflake/snowflake-arctic-embed-m-long", bgeInstruction, "", 2048},
		{"Alibaba-NLP/gte-Qwen2-7B-instruct", web + "Query: ", "", 32000},
		{"Alibaba-NLP/gte-multilingual-base", "", "", 8192},
		{"jina/jina-embeddings-v2-base-de", "", "", 8192},
		{"all-minilm:33m", "", "", 256},
		{"granite-embedding:278m", "", "", 512},
		{"ibm-granite/granite-embedding-311m-multilingual-r2", "", "", 32768},
		{"text-embedding-3-small", "", "", 8191},
		{"text-embedding-v4", "", "", 8192},
		{"voyage-3.5-lite", voyageQuery, voyagePassage, 32000},
		{"e5/own-model", "", "", 0},
		{"own-model", "", "", 0},
	} {
		f := familyOf(tt.model)
		if f.query != tt.query || f.passage != tt.passage || f.limit != tt.limit {
			t.Errorf("%s: %q, %q, %d; want %q, %q, %d", tt.model, f.query, f.passage, f.limit, tt.query, tt.passage, tt.limit)
		}
	}
}

func TestPrefixesAreSent(t *testing.T) {
	clearEnvironment(t)
	for _, tt := range []struct{ settings, passage, query string }{
		{"", "passage: ", "query: "},
		{"?query=", "passage: ", ""},
		{"?passage=", "", "query: "},
		{"?passage=p%0A&query=q%20%2B%20", "p\n", "q + "},
	} {
		s := newAPIServer(t)
		r := newRemoteFor(t, s.URL+"/v1"+tt.settings+"#multilingual-e5-small")
		for _, kind := range []TextKind{Passage, Query} {
			if _, err := r.Embed(t.Context(), kind, []string{"text", " "}); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{tt.passage + "text", tt.passage + ".", tt.query + "text", tt.query + "."}
		if got := slices.Concat(s.requests[0].Input, s.requests[1].Input); !slices.Equal(got, want) {
			t.Errorf("%q: sent %q, want %q", tt.settings, got, want)
		}
	}
}

func TestTextsAreCut(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	r := newRemoteFor(t, s.URL+"/v1#bge-small-zh-v1.5")
	for _, kind := range []TextKind{Passage, Query} {
		if _, err := r.Embed(t.Context(), kind, []string{strings.Repeat("盐", 5000)}); err != nil {
			t.Fatal(err)
		}
	}
	passage, query := s.requests[0].Input[0], s.requests[1].Input[0]
	if n := strings.Count(passage, "盐"); n != 512 {
		t.Errorf("the passage has %d characters, want 512", n)
	}
	text, found := strings.CutPrefix(query, chineseBGEQuery)
	if n := strings.Count(text, "盐"); !found || n != 512-script.EstimateTokens(chineseBGEQuery) {
		t.Errorf("the query has %d characters after its prefix, want %d", n, 512-script.EstimateTokens(chineseBGEQuery))
	}
}

func TestJinaTask(t *testing.T) {
	for _, tt := range []struct {
		host, model string
		kind        TextKind
		want        any
	}{
		{"api.jina.ai", "jina-embeddings-v3", Query, "retrieval.query"},
		{"api.jina.ai", "jina-embeddings-v5-text-small", Passage, "retrieval.passage"},
		{"api.jina.ai", "jina-embeddings-v2-base-en", Passage, nil},
		{"host", "jina-embeddings-v3", Query, nil},
	} {
		if got := jinaTask(tt.host, tt.model, tt.kind)["task"]; got != tt.want {
			t.Errorf("%s at %s: task %v, want %v", tt.model, tt.host, got, tt.want)
		}
	}
}
