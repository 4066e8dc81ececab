package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"vademecum/internal/base/message"

	openai "github.com/sashabaranov/go-openai"
)

// requestVectors sends one request and checks the answer. It sends no encoding_format: services
// return numbers then, and Voyage refuses "float"
// (https://github.com/cocoindex-io/cocoindex-code/issues/148, 2026-04).
func (r *remote) requestVectors(ctx context.Context, kind TextKind, inputs []string) ([][]float32, error) {
	x := &httpExchange{client: r.client, wants: wantVectors}
	config := openai.DefaultConfig(r.key)
	config.BaseURL = r.base.String()
	config.HTTPClient = x
	answer, err := openai.NewClientWithConfig(config).CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{
		Input:      inputs,
		Model:      openai.EmbeddingModel(r.model),
		Dimensions: r.dimensions,
		ExtraBody:  jinaTask(r.base.Hostname(), r.model, kind),
	})
	if err != nil && errors.As(err, new(*json.UnmarshalTypeError)) && x.response.StatusCode < 300 {
		for _, decode := range []func([]byte) (openai.EmbeddingResponse, bool){decodeBase64, decodeWithFractions} {
			if decoded, ok := decode(x.body); ok {
				answer, err = decoded, nil
				break
			}
		}
	}
	if err != nil || len(answer.Data) == 0 {
		return nil, r.explainExchange(ctx, x, err)
	}
	vectors, err := arrangeVectors(answer.Data, len(inputs))
	if err == nil && hasNull(x.body) {
		err = message.Errorf("null in place of a number")
	}
	if err != nil {
		return nil, &requestFailure{message: r.answerMessage(err), transient: true}
	}
	if err := r.checkLength(len(vectors[0])); err != nil {
		return nil, err
	}
	return vectors, nil
}

// decodeBase64 decodes an answer whose vectors are little-endian float32 in base64, which some
// servers send without being asked.
func decodeBase64(body []byte) (openai.EmbeddingResponse, bool) {
	var answer openai.EmbeddingResponseBase64
	if json.Unmarshal(body, &answer) != nil {
		return openai.EmbeddingResponse{}, false
	}
	for _, d := range answer.Data {
		if len(d.Embedding)%4 != 0 || decodedBase64Len(string(d.Embedding))%4 != 0 {
			return openai.EmbeddingResponse{}, false // the library would drop an incomplete number
		}
	}
	decoded, err := answer.ToEmbeddingResponse()
	return decoded, err == nil
}

// decodeWithFractions decodes an answer whose counts and indexes are written as fractions, such as
// "index": 0.0, as languages with a single number type write them.
func decodeWithFractions(body []byte) (openai.EmbeddingResponse, bool) {
	var fractions struct {
		Data []struct {
			Index     float64   `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &fractions) != nil {
		return openai.EmbeddingResponse{}, false
	}
	var answer openai.EmbeddingResponse
	for _, d := range fractions.Data {
		if d.Index != float64(int(d.Index)) {
			return openai.EmbeddingResponse{}, false
		}
		answer.Data = append(answer.Data, openai.Embedding{Index: int(d.Index), Embedding: d.Embedding})
	}
	return answer, true
}

// decodedBase64Len returns how many bytes padded base64 decodes to.
func decodedBase64Len(s string) int {
	n := len(s) / 4 * 3
	for len(s) > 0 && s[len(s)-1] == '=' {
		s = s[:len(s)-1]
		n--
	}
	return n
}

// hasNull reports whether a vector in an answer contains null, which decodes to 0.
func hasNull(body []byte) bool {
	null := []byte("null")
	if !bytes.Contains(body, null) {
		return false
	}
	var answer struct {
		Data []struct {
			Embedding json.RawMessage `json:"embedding"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return false
	}
	for _, d := range answer.Data {
		if bytes.HasPrefix(d.Embedding, []byte("[")) && bytes.Contains(d.Embedding, null) {
			return true
		}
	}
	return false
}
