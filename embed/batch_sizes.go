package embed

import "sync"

// Bounds of a request. OpenAI accepts 2048 texts and 300,000 tokens, Voyage 1000 and 120,000; with
// these bounds, an answer takes at most a second or two, and little has to be repeated if a request
// fails.
const (
	batchTexts      = 64
	batchTokens     = 8000
	batchTokensHere = 4000 // for a server on this machine, which may have no GPU
)

// batchSizes limits requests to the sizes that the service has been seen to accept. Some accept
// only 10 texts (DashScope,
// https://help.aliyun.com/en/model-studio/embedding-interfaces-compatible-with-openai), or 32
// (SiliconFlow, https://docs.siliconflow.cn/en/api-reference/embeddings/create-embeddings).
type batchSizes struct {
	mostTokens int

	mu     sync.Mutex
	texts  int
	tokens int
	good   int // number of successful requests since the bounds last changed
}

func newBatchSizes(here bool) *batchSizes {
	most := batchTokens
	if here {
		most = batchTokensHere
	}
	return &batchSizes{mostTokens: most, texts: batchTexts, tokens: most}
}

// fittingCount returns how many of the texts fit into one request, at least one; tokens are their
// numbers of tokens.
func (s *batchSizes) fittingCount(tokens []int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := 0
	for i, n := range tokens[:min(len(tokens), s.texts)] {
		sum += n
		if i > 0 && sum > s.tokens {
			return i
		}
	}
	return min(len(tokens), s.texts)
}

// limitTo limits requests to the given numbers of texts and tokens; 0 leaves a limit unchanged.
func (s *batchSizes) limitTo(texts, tokens int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.good = 0
	if texts > 0 {
		s.texts = min(s.texts, texts)
	}
	if tokens > 0 {
		s.tokens = min(s.tokens, tokens)
	}
}

// succeeded records a successful request. After many, larger ones are tried again, because the
// service may have failed for another reason.
func (s *batchSizes) succeeded() {
	const many = 256
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.good++; s.good < many {
		return
	}
	s.good = 0
	s.texts = min(2*s.texts, batchTexts)
	s.tokens = min(2*s.tokens, s.mostTokens)
}
