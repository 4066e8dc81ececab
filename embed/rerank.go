package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
)

// RerankerSpecHelp describes the specs that NewReranker and NewLocalReranker accept, for people.
const RerankerSpecHelp = "http://host/v1#MODEL, http://host of text-embeddings-inference, or local:FOLDER"

// rerankPath is the path that is added to the address of an API.
const rerankPath = "/rerank"

// rerankerKey is the environment variable with the key of a reranker.
const rerankerKey = "VADEMECUM_RERANK_API_KEY"

// RerankerEnvironmentVariables returns the names of the environment variables that NewReranker
// reads.
func RerankerEnvironmentVariables() []string { return []string{rerankerKey, anyKey} }

// Limits on the texts of a request, in characters. A passage has about 1,500; if a model refuses
// texts of this length, half and a quarter of it are tried.
const (
	rerankedText     = 2000
	rerankedQuestion = 1000
	leastReranked    = rerankedText / 4
)

// pairTokens is the number of special tokens that models put around a question and a text.
const pairTokens = 4

// Reranker scores how well texts answer a question, by a model on a server. It speaks both
// formats in use:
//
//   - {"model", "query", "documents", "top_n"}, answered by {"results": [{"index",
//     "relevance_score"}]}: Cohere (https://docs.cohere.com/v1/reference/rerank,
//     https://docs.cohere.com/reference/rerank), Jina (https://api.jina.ai/docs), vLLM
//     (https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html) and llama.cpp
//     (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md);
//   - {"query", "texts"}, answered by [{"index", "score"}]: text-embeddings-inference
//     (https://huggingface.github.io/text-embeddings-inference).
//
// Its methods are safe for concurrent use.
type Reranker struct {
	service   *httpService
	takesText atomic.Bool  // the server accepts the second format
	most      atomic.Int64 // maximum characters of a text that the server accepts
}

// NewReranker returns the reranker for a spec: the address of an API and, after a #, the model, as
// in http://127.0.0.1:8080/v1#bge-reranker-v2-m3. Requests go to the path /rerank below the
// address, which may be included in the spec. If the address has no version
// (http://127.0.0.1:8080), the model may be omitted, and the server is then assumed to be
// text-embeddings-inference, which serves a single model. If a server reports a missing field, the
// other format is used from then on.
//
// The key comes from VADEMECUM_RERANK_API_KEY in the environment, or else from VADEMECUM_API_KEY,
// unless that belongs to the embedder in embedderSpec, and the reranker has another host.
//
// NewReranker opens no connection. Its error never repeats a part of the spec.
func NewReranker(spec, embedderSpec string) (*Reranker, error) {
	e, err := rerankerEndpoint(spec)
	if err != nil {
		return nil, message.Errorf("reranker: %v", err)
	}
	e.key = strings.TrimSpace(os.Getenv(rerankerKey))
	if e.key == "" && !isKeyForOtherHost(embedderSpec, e.base.Host) {
		e.key = strings.TrimSpace(os.Getenv(anyKey))
	}
	s := newHTTPService(*e)
	r := &Reranker{service: &s}
	r.takesText.Store(e.model == "")
	r.most.Store(rerankedText)
	return r, nil
}

// versioned matches the path of an API that has more than one version.
var versioned = lazyregexp.New(`/v\d+$`)

func rerankerEndpoint(spec string) (*endpoint, error) {
	u, err := parseBaseURL(strings.TrimSpace(spec), rerankPath)
	switch {
	case err != nil:
		return nil, message.Errorf("not an address like http://host/v1#model without a password")
	case u.RawQuery != "":
		return nil, message.Errorf("its address must have no '?'")
	case u.Fragment == "" && versioned.MatchString(u.Path):
		return nil, message.Errorf("no model is named: write it after #, as in http://host/v1#model")
	}
	e := &endpoint{model: u.Fragment, limit: rerankLimit(u.Fragment), keyVariable: rerankerKey}
	u.Fragment, u.RawFragment = "", ""
	e.base, e.identity = u, u.String()
	if e.model != "" {
		e.identity = e.urlIdentity()
	}
	return e, nil
}

// isKeyForOtherHost reports whether the key for any provider belongs to another host: that of the
// embedder in a spec.
func isKeyForOtherHost(embedder, host string) bool {
	e, err := NewIdentityOnly(embedder)
	at, ok := e.(*endpoint)
	return err == nil && ok && at.base.Host != host
}

// ModelIdentity returns the address and the model, without a key.
func (r *Reranker) ModelIdentity() string { return r.service.identity }

// Host returns the host that receives the texts, with its port if it has one; "" if they stay on
// this machine.
func (r *Reranker) Host() string { return r.service.remoteHost() }

// Rerank returns a score for each text, higher for one that answers the question better. Only
// scores from the same call are comparable. Long texts, and a long question, are cut to the limit
// of the model. Errors have one line. After a failure, or if ctx was done, no request is sent for
// some seconds, or as long as the server asks for, and calls fail at once.
func (r *Reranker) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	scores, err := r.rerank(ctx, question, texts)
	if err != nil {
		return nil, message.Errorf("rerank with %s: %v", r.ModelIdentity(), r.service.failureReason(ctx, Query, err))
	}
	return scores, nil
}

func (r *Reranker) rerank(ctx context.Context, question string, texts []string) (scores []float64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := r.service.health.refuses(Query); err != nil {
		return nil, err
	}
	release, err := r.service.acquireSlot(ctx, Query, 0)
	if err != nil {
		return nil, err
	}
	defer release()
	for {
		most := r.most.Load()
		q, short := r.cutInputs(question, texts, int(most))
		err := r.service.sendWithRetries(ctx, Query, 0, func(ctx context.Context) (err error) {
			scores, err = r.requestScores(ctx, q, short)
			return err
		})
		f, failed := errors.AsType[*requestFailure](err)
		switch {
		case !failed:
			return scores, err
		case f.general:
			return nil, f
		case !f.tooLong || most/2 < leastReranked:
			return nil, r.service.health.failed(f)
		}
		r.most.CompareAndSwap(most, most/2)
	}
}

// cutInputs cuts a question and texts to the maximum number of characters, and to what the model
// accepts of both together.
func (r *Reranker) cutInputs(question string, texts []string, most int) (string, []string) {
	question = cutToCharacters(question, rerankedQuestion)
	left := 0 // maximum tokens of a text
	if limit := r.service.limit; limit > 0 {
		question = cutToTokens(question, limit/2)
		left = limit - script.EstimateTokens(question) - pairTokens
	}
	short := make([]string, len(texts))
	for i, text := range texts {
		short[i] = cutToCharacters(text, most)
		if left > 0 {
			short[i] = cutToTokens(short[i], left)
		}
		short[i] = replaceBlank(short[i])
	}
	return question, short
}

// rerankRequest is a request in either of the two formats that Reranker uses.
type rerankRequest struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents,omitempty"`
	TopN      int      `json:"top_n,omitempty"`

	Texts    []string `json:"texts,omitempty"`
	Truncate bool     `json:"truncate,omitempty"` // otherwise a text that is too long is an error
}

// requestScores sends the texts in the format that the server took last, and again in the other of
// the two formats if the server reports a missing field.
func (r *Reranker) requestScores(ctx context.Context, question string, texts []string) ([]float64, error) {
	inTexts := r.takesText.Load()
	scores, x, err := r.exchangeOnce(ctx, question, texts, inTexts)
	if err == nil || !lacksField(x, inTexts) {
		return scores, err
	}
	r.takesText.Store(!inTexts) // stored now, because there may be no time left after the answer
	scores, _, err = r.exchangeOnce(ctx, question, texts, !inTexts)
	return scores, err
}

// lacksField reports whether a request was refused because it lacks the field that only the other
// format has: "missing field `texts`" (text-embeddings-inference), or "Field required" at
// "documents" (FastAPI servers, such as vLLM). Refusals of texts that are too long mention the
// texts too.
func lacksField(x *httpExchange, inTexts bool) bool {
	if x.response == nil || x.response.StatusCode != http.StatusBadRequest && x.response.StatusCode != http.StatusUnprocessableEntity {
		return false
	}
	field := "texts"
	if inTexts {
		field = "documents"
	}
	return bytes.Contains(x.body, []byte(field)) && (bytes.Contains(x.body, []byte("missing")) || bytes.Contains(x.body, []byte("required")))
}

// exchangeOnce sends one request.
func (r *Reranker) exchangeOnce(ctx context.Context, question string, texts []string, inTexts bool) ([]float64, *httpExchange, error) {
	x := &httpExchange{client: r.service.client, wants: wantScores}
	body := rerankRequest{Model: r.service.model, Query: question, Documents: texts, TopN: len(texts)}
	if inTexts {
		body = rerankRequest{Query: question, Texts: texts, Truncate: true}
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, x, fmt.Errorf("encode the texts: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.service.base.String()+rerankPath, bytes.NewReader(encoded))
	if err != nil {
		return nil, x, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if r.service.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.service.key)
	}
	if _, err := x.Do(req); err != nil {
		return nil, x, r.service.explainExchange(ctx, x, err)
	}
	scores, err := r.readScores(ctx, x, len(texts))
	return scores, x, err
}

// rerankResult is a result in either of the two formats that Reranker reads.
type rerankResult struct {
	Index          *int     `json:"index"`
	RelevanceScore *float64 `json:"relevance_score"`
	Score          *float64 `json:"score"`
}

// readScores returns the scores of n texts in an answer.
func (r *Reranker) readScores(ctx context.Context, x *httpExchange, n int) ([]float64, error) {
	if x.response.StatusCode >= http.StatusMultipleChoices {
		return nil, r.service.explainExchange(ctx, x, nil)
	}
	results, err := decodeResults(x.body)
	if err != nil || results == nil {
		return nil, r.service.explainExchange(ctx, x, err)
	}
	scores, err := arrangeScores(results, n)
	if err != nil {
		return nil, &requestFailure{message: r.service.answerMessage(err)}
	}
	return scores, nil
}

// decodeResults decodes an answer, which is or contains a list of results. It returns nil for
// anything else.
func decodeResults(body []byte) ([]rerankResult, error) {
	var answer struct {
		Results []rerankResult `json:"results"`
	}
	var into any = &answer
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		into = &answer.Results
	}
	err := json.NewDecoder(bytes.NewReader(body)).Decode(into)
	return answer.Results, err
}

// arrangeScores returns the scores in the order of the n texts. It returns an error unless there is exactly
// one score for each text. All scores are finite, because JSON cannot express other numbers.
func arrangeScores(results []rerankResult, n int) ([]float64, error) {
	if len(results) != n {
		return nil, message.Errorf("%d scores for %d texts", len(results), n)
	}
	scores, seen := make([]float64, n), make([]bool, n)
	for _, one := range results {
		score := one.RelevanceScore
		if score == nil {
			score = one.Score
		}
		switch {
		case one.Index == nil:
			return nil, message.Errorf("a score that does not say for which text it is")
		case *one.Index < 0 || *one.Index >= n:
			return nil, message.Errorf("a score for text %d of %d", *one.Index, n)
		case seen[*one.Index]:
			return nil, message.Errorf("two scores for text %d", *one.Index)
		case score == nil:
			return nil, message.Errorf("no score for text %d", *one.Index)
		}
		scores[*one.Index], seen[*one.Index] = *score, true
	}
	return scores, nil
}

// rerankLimits are the token limits of rerankers for a question and a text together, if these are
// less than what is sent. Looked up in November 2026.
var rerankLimits = []struct {
	names string // patterns, see matchesPattern
	limit int
}{
	// https://huggingface.co/BAAI/bge-reranker-large
	{"bge-reranker-base bge-reranker-large", 512},
	// https://huggingface.co/netease-youdao/bce-reranker-base_v1
	{"bce-reranker", 512},
	// https://huggingface.co/cross-encoder/ms-marco-MiniLM-L6-v2
	{"ms-marco-", 512},
	// https://huggingface.co/mixedbread-ai/mxbai-rerank-large-v1
	{"mxbai-rerank-*-v1", 512},
	// https://huggingface.co/jinaai/jina-reranker-v2-base-multilingual
	{"jina-reranker-v2", 1024},
}

// rerankLimit returns the token limit of a model, matched as in familyOf; 0 if unknown.
func rerankLimit(model string) int {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	for _, known := range rerankLimits {
		for pattern := range strings.FieldsSeq(known.names) {
			if matchesPattern(name, pattern) {
				return known.limit
			}
		}
	}
	return 0
}
