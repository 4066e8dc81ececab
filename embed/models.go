package embed

import "strings"

// modelFamily is what is known about a family of models.
type modelFamily struct {
	names          string // patterns, see matchesPattern
	query, passage string // prefixes
	limit          int    // in tokens; 0 if unknown
}

const (
	bgeInstruction  = "Represent this sentence for searching relevant passages: "
	webSearchTask   = "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
	chineseBGEQuery = "为这个句子生成表示以用于检索相关文章："
)

// families are the known families of embedding models; the first one that a model's name matches
// applies. Looked up in November 2026; the limits are those of the model card, or of Ollama's
// library if that is lower.
var families = []modelFamily{
	// https://huggingface.co/intfloat/multilingual-e5-large-instruct: only queries
	{"e5-large-instruct", webSearchTask + "Query: ", "", 512},
	// https://huggingface.co/intfloat/multilingual-e5-large, https://huggingface.co/intfloat/e5-large-v2
	{"e5-small e5-base e5-large", "query: ", "passage: ", 512},

	// https://huggingface.co/BAAI/bge-m3: no instruction
	{"bge-m3", "", "", 8192},
	// https://huggingface.co/BAAI/bge-large-zh-v1.5: only queries
	{"bge-*-zh", chineseBGEQuery, "", 512},
	// https://huggingface.co/BAAI/bge-large-en-v1.5: only queries. Ollama's bge-large is this
	// model, https://ollama.com/library/bge-large.
	{"bge-*-en bge-large bge-base bge-small", bgeInstruction, "", 512},
	// https://huggingface.co/netease-youdao/bce-embedding-base_v1: no instruction
	{"bce-embedding", "", "", 512},

	// https://huggingface.co/nomic-ai/nomic-embed-text-v2-moe
	{"nomic-embed-text-v2", "search_query: ", "search_document: ", 512},
	// https://huggingface.co/nomic-ai/nomic-embed-text-v1.5. Nomic's own API adds the prefixes, but
	// it is not compatible. https://ollama.com/library/nomic-embed-text: a context of 2048.
	{"nomic-embed-text", "search_query: ", "search_document: ", 2048},
	// https://ai.google.dev/gemma/docs/embeddinggemma/model_card
	{"embeddinggemma", "task: search result | query: ", "title: none | text: ", 2048},
	// https://huggingface.co/Qwen/Qwen3-Embedding-0.6B: only queries, no space after the colon
	{"qwen3-embedding", webSearchTask + "Query:", "", 32768},
	// https://mixedbread.ai/docs/embeddings/mxbai-embed-large-v1: only queries
	{"mxbai-embed", bgeInstruction, "", 512},

	// https://huggingface.co/Snowflake/snowflake-arctic-embed-l-v2.0: only queries. In Ollama it is
	// snowflake-arctic-embed2.
	{"snowflake-arctic-embed2 snowflake-arctic-embed-*-v2", "query: ", "", 8192},
	// https://huggingface.co/Snowflake/snowflake-arctic-embed-m-long: only queries
	{"snowflake-arctic-embed-m-long snowflake-arctic-embed:*-long", bgeInstruction, "", 2048},
	// https://huggingface.co/Snowflake/snowflake-arctic-embed-m: only queries
	{"snowflake-arctic-embed", bgeInstruction, "", 512},

	// https://huggingface.co/Alibaba-NLP/gte-Qwen2-1.5B-instruct: only queries
	{"gte-qwen", webSearchTask + "Query: ", "", 32000},
	// https://huggingface.co/Alibaba-NLP/gte-large-en-v1.5,
	// https://huggingface.co/Alibaba-NLP/gte-multilingual-base: no instruction
	{"gte-*-v1.5 gte-multilingual", "", "", 8192},
	// https://huggingface.co/thenlper/gte-large: no instruction
	{"gte-small gte-base gte-large", "", "", 512},

	// https://jina.ai/models/jina-embeddings-v5-text-small. Its API chooses the adapter by a field
	// of the request (jinaTask); what other servers do depends on how the model was converted, so
	// they get no prefix.
	{"jina-embeddings-v4 jina-embeddings-v5", "", "", 32768},
	// https://huggingface.co/jinaai/jina-embeddings-v3, which is similar, and
	// https://huggingface.co/jinaai/jina-embeddings-v2-base-en, which has no tasks
	{"jina-embeddings", "", "", 8192},

	// https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2: no instruction; 256 also in
	// Ollama, which refuses more (https://github.com/jeanibarz/knowledge-base-mcp-server/issues/86)
	{"all-minilm", "", "", 256},
	// https://huggingface.co/ibm-granite/granite-embedding-311m-multilingual-r2: no instruction
	{"granite-embedding-*-multilingual-r2", "", "", 32768},
	// https://huggingface.co/ibm-granite/granite-embedding-english-r2: no instruction
	{"granite-embedding-*-r2", "", "", 8192},
	// https://huggingface.co/ibm-granite/granite-embedding-278m-multilingual: no instruction
	{"granite-embedding", "", "", 512},

	// https://platform.openai.com/docs/guides/embeddings: no instruction
	{"text-embedding-3 text-embedding-ada-002", "", "", 8191},
	// https://help.aliyun.com/en/model-studio/embedding-interfaces-compatible-with-openai: the
	// compatible API accepts no instruction
	{"text-embedding-v3 text-embedding-v4", "", "", 8192},
	{"text-embedding-v1 text-embedding-v2", "", "", 2048},
	// https://docs.voyageai.com/docs/embeddings: what its API prepends to a text for the input_type
	// query and document, a field that compatible clients do not have
	{"voyage-law-2 voyage-code-2", voyageQuery, voyagePassage, 16000},
	{"voyage-", voyageQuery, voyagePassage, 32000},
	// https://docs.mistral.ai/capabilities/embeddings/text_embeddings: no instruction
	{"mistral-embed", "", "", 8192},
}

const (
	voyageQuery   = "Represent the query for retrieving supporting documents: "
	voyagePassage = "Represent the document for retrieval: "
)

// familyOf returns the family of a model by the last part of its name, as in
// hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4. It returns the zero value if there is no match.
func familyOf(model string) modelFamily {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	for _, f := range families {
		for pattern := range strings.FieldsSeq(f.names) {
			if matchesPattern(name, pattern) {
				return f
			}
		}
	}
	return modelFamily{}
}

// matchesPattern reports whether a name contains the parts of a pattern, which are separated by
// '*', one after the other.
func matchesPattern(name, pattern string) bool {
	for part := range strings.SplitSeq(pattern, "*") {
		_, rest, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = rest
	}
	return true
}

// jinaTask returns the field by which Jina's own API chooses the purpose of an embedding; nil for
// other hosts and for models without tasks (https://api.jina.ai/docs,
// https://qdrant.tech/documentation/embeddings/jina-embeddings).
func jinaTask(host, model string, kind TextKind) map[string]any {
	if host != "api.jina.ai" || !strings.HasPrefix(model, "jina-embeddings-v") || strings.HasPrefix(model, "jina-embeddings-v2") {
		return nil
	}
	if kind == Query {
		return map[string]any{"task": "retrieval.query"}
	}
	return map[string]any{"task": "retrieval.passage"}
}
